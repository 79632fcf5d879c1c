package org.fastpath.bench.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks the RegionServers of a cluster what they have pinned. */
@Command(
    name = "cache",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "status|plan",
    description = "What RegionServers keep in the memory of DataNodes.")
public final class CacheCommand {
  @Spec private CommandSpec spec;

  /** Where the cluster is. */
  static final class Client {
    @Option(
        names = "--conf",
        paramLabel = "DIR",
        required = true,
        description = "Directory with the hbase-site.xml of a client.")
    private Path conf;
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Prints what each RegionServer has pinned, and why.")
  int status(@Mixin Client client) throws IOException {
    return print(client.conf, "Status");
  }

  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description = "Prints what each RegionServer would change, and what it does not pin and why.")
  int plan(@Mixin Client client) throws IOException {
    return print(client.conf, "Plan");
  }

  private int print(Path conf, String attribute) throws IOException {
    for (Map.Entry<ServerName, Integer> server : servers(configuration(conf)).entrySet()) {
      System.out.println(server.getKey().getAddress());
      List<String> lines =
          PinPages.lines(server.getKey().getHostname(), server.getValue(), attribute);
      lines.forEach(line -> System.out.println("  " + line));
    }
    return 0;
  }

  private Configuration configuration(Path directory) {
    Path site = directory.resolve("hbase-site.xml");
    if (!Files.isReadable(site)) {
      throw new ParameterException(
          spec.commandLine(), "--conf is " + directory + ": there is no hbase-site.xml");
    }
    Configuration configuration = HBaseConfiguration.create();
    configuration.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    return configuration;
  }

  /** The port of each server's pages. */
  private static Map<ServerName, Integer> servers(Configuration configuration) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      Map<ServerName, Integer> ports = new TreeMap<>();
      for (ServerMetrics server : admin.getClusterMetrics().getLiveServerMetrics().values()) {
        ports.put(server.getServerName(), server.getInfoServerPort());
      }
      return ports;
    }
  }
}
