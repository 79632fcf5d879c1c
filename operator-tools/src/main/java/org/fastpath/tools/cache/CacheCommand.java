package org.fastpath.tools.cache;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  /** A RegionServer does not answer. */
  private static final int SILENT_SERVER = 1;

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
    return ask(client, this::status);
  }

  @Command(
      name = "plan",
      mixinStandardHelpOptions = true,
      description =
          "Prints the planned changes of each RegionServer, and the files that it does not pin, "
              + "with the reasons. Then the locked memory and the cache that each table has, and "
              + "needs to be in memory whole.")
  int plan(@Mixin Client client) throws Exception {
    return ask(client, this::plan);
  }

  int status(JmxPage page, LiveCluster cluster) {
    return exitCode(printPins(page, cluster, "Status"));
  }

  int plan(JmxPage page, LiveCluster cluster) {
    Set<String> silent = printPins(page, cluster, "Plan");
    printMemory(page, cluster, silent);
    return exitCode(silent);
  }

  private static int exitCode(Set<String> silent) {
    return silent.isEmpty() ? 0 : SILENT_SERVER;
  }

  /** Prints answers of a cluster's RegionServers, and returns the exit code. */
  private interface Question {
    int ask(JmxPage page, LiveCluster cluster);
  }

  private int ask(Client client, Question question) throws Exception {
    Path conf = client.conf;
    Path site = conf.resolve("hbase-site.xml");
    if (!Files.isReadable(site)) {
      throw new ParameterException(
          spec.commandLine(), "--conf is " + conf + ": there is no hbase-site.xml");
    }
    Login login = client.web.login();
    try (Ssl ssl = client.web.ssl(List.of(conf))) {
      return question.ask(new JmxPage(ssl, login), login.run(() -> LiveCluster.of(conf)));
    }
  }

  /** Prints the pins of each server. Returns the addresses of those that do not answer. */
  private Set<String> printPins(JmxPage page, LiveCluster cluster, String attribute) {
    PrintWriter out = spec.commandLine().getOut();
    Set<String> silent = new HashSet<>();
    cluster
        .servers()
        .forEach(
            (server, address) -> {
              out.println(server);
              try {
                PinPages.lines(page, address, attribute).forEach(line -> out.println("  " + line));
              } catch (IOException e) {
                silent.add(address);
                out.println("  " + e.getMessage());
              }
              out.flush();
            });
    return silent;
  }

  /** Prints the memory of tables. It lacks that of silent servers. */
  private void printMemory(JmxPage page, LiveCluster cluster, Set<String> silent) {
    PrintWriter out = spec.commandLine().getOut();
    TableMemory memory = new TableMemory(cluster.lockedReplicas());
    for (String address : cluster.servers().values()) {
      try {
        if (!silent.contains(address)) {
          memory.add(page, address);
        }
      } catch (IOException e) {
        silent.add(address);
        out.println(e.getMessage());
      }
    }
    memory.lines(cluster.tables()).forEach(out::println);
    out.flush();
  }
}
