package org.fastpath.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.fastpath.cluster.DaemonLauncher;

/** The daemons of two trees, each started by its tree's script. They end with this JVM. */
final class Daemons implements AutoCloseable {
  private static final long STOP_SECONDS = 60;
  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String HDFS = "org.apache.hadoop.hdfs.server.";

  private final ApacheTrees trees;
  private final Deque<Process> processes = new ArrayDeque<>();
  private final List<Path> logs = new ArrayList<>();

  Daemons(ApacheTrees trees) {
    this.trees = trees;
  }

  void start() throws IOException {
    hbase("zookeeper", HBASE + "zookeeper.HQuorumPeer");
    hadoop("namenode", "-Dfastpath.launcher.format=" + trees.names(), HDFS + "namenode.NameNode");
    hadoop("datanode", "-Dfastpath.launcher.any-socket-directory=true", HDFS + "datanode.DataNode");
    hbase("master", HBASE + "master.HMaster", "start");
    hbase("regionserver", HBASE + "regionserver.HRegionServer", "start");
  }

  private void hbase(String name, String main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(trees.hbase().resolve("bin/hbase") + ""));
    command.add("-Dzookeeper.admin.enableServer=false");
    command.addAll(List.of(DaemonLauncher.class.getName(), main));
    command.addAll(List.of(arguments));
    start(name, command);
  }

  private void hadoop(String name, String property, String main) throws IOException {
    String script = trees.hadoop().resolve("bin/hadoop").toString();
    start(name, List.of(script, property, DaemonLauncher.class.getName(), main));
  }

  private void start(String name, List<String> command) throws IOException {
    Path log = trees.data().resolve(name + ".log");
    logs.add(log);
    Map<String, String> environment = Map.of("TEST_LAUNCHER", trees.launcher().toString());
    processes.push(
        Commands.builder(trees.data(), environment, command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start());
  }

  /** Returns the last lines of each log, for the message of a failed test. */
  String logs() throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path log : logs) {
      List<String> lines = Files.readAllLines(log);
      text.append("== ").append(log).append('\n');
      lines
          .subList(Math.max(0, lines.size() - 30), lines.size())
          .forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }

  /** Stops them in the reverse order of their start. */
  @Override
  public void close() throws IOException {
    try {
      for (Process process : processes) {
        process.toHandle().destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      }
    } catch (InterruptedException e) {
      processes.forEach(Process::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }
}
