package org.fastpath.tools.cache;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Asks the RegionServers of a cluster what they have pinned.
 *
 * <p>No class of HBase stands in a signature here: the command line loads this class where HBase is
 * not on the class path, too.
 */
@Command(
    name = "cache",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "status|plan",
    description = "Shows which store files RegionServers pin in the memory of DataNodes.")
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
    Path site = conf.resolve("hbase-site.xml");
    if (!Files.isReadable(site)) {
      throw new ParameterException(
          spec.commandLine(), "--conf is " + conf + ": there is no hbase-site.xml");
    }
    PrintWriter out = spec.commandLine().getOut();
    for (var server : InfoPorts.ofLiveServers(site).entrySet()) {
      out.println(server.getKey().getAddress());
      PinPages.lines(server.getKey().getHostname(), server.getValue(), attribute)
          .forEach(line -> out.println("  " + line));
      out.flush();
    }
    return 0;
  }
}
