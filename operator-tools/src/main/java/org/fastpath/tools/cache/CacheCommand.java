package org.fastpath.tools.cache;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fastpath.tools.jmx.JmxPage;
import org.fastpath.tools.jmx.Login;
import org.fastpath.tools.jmx.Ssl;
import org.fastpath.tools.jmx.WebOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Asks the RegionServers of a cluster for their pinned files. */
@Command(
    name = "cache",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "status|plan",
    description = "Shows which store files RegionServers pin in the memory of DataNodes.")
public final class CacheCommand {
  @Spec private CommandSpec spec;

  /** The location of the cluster. */
  static final class Client {
    @Option(
        names = "--conf",
        paramLabel = "DIR",
        required = true,
        description = "Directory with the hbase-site.xml of a client.")
    private Path conf;

    @Mixin private WebOptions web;
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Prints the pinned files of each RegionServer, with the reasons.")
  int status(@Mixin Client client) throws Exception {
    ask(client, (page, cluster) -> printPins(page, cluster, "Status"));
    return 0;
  }

  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description =
          "Prints the planned changes of each RegionServer, and the files that it does not pin, "
              + "with the reasons. Then the locked memory and the cache that each table has, and "
              + "needs to be in memory whole.")
  int plan(@Mixin Client client) throws Exception {
    ask(
        client,
        (page, cluster) -> {
          printPins(page, cluster, "Plan");
          printMemory(page, cluster);
        });
    return 0;
  }

  /** Prints answers of a cluster's RegionServers. */
  private interface Question {
    void ask(JmxPage page, LiveCluster cluster) throws IOException;
  }

  private void ask(Client client, Question question) throws Exception {
    Path conf = client.conf;
    Path site = conf.resolve("hbase-site.xml");
    if (!Files.isReadable(site)) {
      throw new ParameterException(
          spec.commandLine(), "--conf is " + conf + ": there is no hbase-site.xml");
    }
    Login login = client.web.login();
    try (Ssl ssl = client.web.ssl(List.of(conf))) {
      question.ask(new JmxPage(ssl, login), login.run(() -> LiveCluster.of(conf)));
    }
  }

  private void printPins(JmxPage page, LiveCluster cluster, String attribute) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    for (Map.Entry<String, String> server : cluster.servers().entrySet()) {
      out.println(server.getKey());
      PinPages.lines(page, server.getValue(), attribute).forEach(line -> out.println("  " + line));
      out.flush();
    }
  }

  private void printMemory(JmxPage page, LiveCluster cluster) throws IOException {
    TableMemory memory = new TableMemory(cluster.lockedReplicas());
    for (String address : cluster.servers().values()) {
      memory.add(page, address);
    }
    PrintWriter out = spec.commandLine().getOut();
    memory.lines(cluster.tables()).forEach(out::println);
    out.flush();
  }
}
