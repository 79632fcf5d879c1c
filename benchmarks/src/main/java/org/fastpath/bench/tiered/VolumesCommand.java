package org.fastpath.bench.tiered;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.net.NetUtils;
import org.fastpath.bench.JmxPage;
import org.fastpath.bench.workload.Commands;
import org.fastpath.bench.workload.Pause;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a table of DataNodes' volumes, again and again. */
@Command(
    name = "volumes",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "Prints the volumes of DataNodes that choose among them by latency: share of replicas since the last table,"
            + " latency of writes, cost beside their peers', what is in flight and what is left.")
public final class VolumesCommand implements Callable<Integer> {
  private static final String BEAN = "Hadoop:service=DataNode,name=VolumeChoice";
  private static final int WEB_PORT = 9864;
  private static final int MILLIS = 1000;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "HOST[:PORT]",
      arity = "1..*",
      description = "DataNodes, with the ports of their web pages (default: " + WEB_PORT + ").")
  private List<String> dataNodes;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      description = "Time between two tables (default: ${DEFAULT-VALUE}).")
  private int every = 10;

  @Option(
      names = "--times",
      paramLabel = "N",
      description = "How many tables (default: one after another until it is interrupted).")
  private int times = Integer.MAX_VALUE;

  @Override
  public Integer call() throws IOException {
    Commands.atLeast(spec, "--every", 1, every);
    Commands.atLeast(spec, "--times", 1, times);
    Map<String, VolumeTable> tables = new LinkedHashMap<>();
    dataNodes.forEach(dataNode -> tables.put(dataNode, new VolumeTable()));
    for (int done = 1; true; done++) {
      for (Map.Entry<String, VolumeTable> table : tables.entrySet()) {
        print(table.getKey(), table.getValue());
      }
      if (done == times) {
        return 0;
      }
      Pause.millis(every * MILLIS);
    }
  }

  private void print(String dataNode, VolumeTable table) throws IOException {
    List<VolumeReading> volumes = VolumeReading.all(bean(dataNode));
    System.out.println(LocalTime.now().truncatedTo(ChronoUnit.SECONDS) + " " + dataNode);
    if (volumes.isEmpty()) {
      System.out.println(
          "  shows no volumes: no replica was written yet, or hdfs-tiered-volume is not put in");
      return;
    }
    table.lines(volumes).forEach(line -> System.out.println("  " + line));
  }

  private JsonNode bean(String dataNode) throws IOException {
    try {
      var address = NetUtils.createSocketAddr(dataNode, WEB_PORT);
      return JmxPage.bean(address.getHostString(), address.getPort(), BEAN);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), dataNode + " is no DataNode: HOST or HOST:PORT is needed", e);
    }
  }
}
