package org.fastpath.tools.volumes;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.security.GeneralSecurityException;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.fastpath.tools.jmx.JmxPage;
import org.fastpath.tools.jmx.Login;
import org.fastpath.tools.jmx.Ssl;
import org.fastpath.tools.jmx.WebOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a table of DataNodes' volumes repeatedly. */
@Command(
    name = "volumes",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Shows the volumes of DataNodes that choose them by latency. Columns: share of "
            + "replicas since the last table, latency of writes, cost over that of the peers, "
            + "bytes in flight, free bytes.")
public final class VolumesCommand implements Callable<Integer> {
  /** A DataNode did not answer. */
  private static final int SILENT_NODE = 1;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "[https://]HOST[:PORT]",
      arity = "1..*",
      description =
          "DataNodes, with the ports of their web pages (default: "
              + VolumePage.WEB_PORT
              + ", "
              + VolumePage.SECURE_WEB_PORT
              + " with https).")
  private List<String> dataNodes;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "Time between two tables (default: ${DEFAULT-VALUE}).")
  private int every = 10;

  @Option(
      names = "--times",
      paramLabel = "N",
      description = "Number of tables (default: until it is interrupted).")
  private int times = Integer.MAX_VALUE;

  @Mixin private WebOptions web;

  @Override
  public Integer call() throws IOException, GeneralSecurityException {
    atLeastOne("--every", every);
    atLeastOne("--times", times);
    Login login = web.login();
    try (Ssl ssl = web.ssl(List.of())) {
      return print(new JmxPage(ssl, login));
    }
  }

  private int print(JmxPage page) throws IOException {
    Map<String, VolumeTable> tables = new LinkedHashMap<>();
    dataNodes.forEach(dataNode -> tables.put(dataNode, new VolumeTable()));
    boolean allAnswered = true;
    for (int done = 1; true; done++) {
      for (Map.Entry<String, VolumeTable> table : tables.entrySet()) {
        allAnswered &= print(page, table.getKey(), table.getValue());
      }
      if (done == times) {
        return allAnswered ? 0 : SILENT_NODE;
      }
      pause();
    }
  }

  private void atLeastOne(String option, int value) {
    if (value < 1) {
      throw new ParameterException(
          spec.commandLine(), option + " is " + value + ": at least 1 is needed");
    }
  }

  private void pause() throws IOException {
    try {
      TimeUnit.SECONDS.sleep(every);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted between two tables");
    }
  }

  /** Returns whether the DataNode answers. */
  private boolean print(JmxPage page, String dataNode, VolumeTable table) {
    PrintWriter out = spec.commandLine().getOut();
    String heading = LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + dataNode;
    try {
      List<VolumeReading> volumes = volumes(page, dataNode);
      out.println(heading);
      lines(volumes, table).forEach(line -> out.println("  " + line));
      return true;
    } catch (IOException e) {
      out.println(heading);
      out.println("  " + e.getMessage());
      return false;
    } finally {
      out.flush();
    }
  }

  private static List<String> lines(List<VolumeReading> volumes, VolumeTable table) {
    return volumes.isEmpty()
        ? List.of(
            "shows no volumes: no replica was written yet, or hdfs-tiered-volume is not put in")
        : table.lines(volumes);
  }

  private List<VolumeReading> volumes(JmxPage page, String dataNode) throws IOException {
    try {
      return VolumePage.read(page, dataNode);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), dataNode + " is no DataNode: [https://]HOST[:PORT] is needed", e);
    }
  }
}
