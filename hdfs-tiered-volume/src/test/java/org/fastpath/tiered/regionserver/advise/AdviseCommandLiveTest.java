package org.fastpath.tiered.regionserver.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.tiered.InvalidValueException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Advice from a real NameNode. */
class AdviseCommandLiveTest {
  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static Path conf;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .hbase(false)
            .volumes("[SSD]", "[SSD]", "[DISK]")
            .start();
    conf = directory.resolve("conf");
    Files.createDirectory(conf);
    try (var files = Files.list(cluster.clientConfDir())) {
      for (Path file : files.toList()) {
        Files.copy(file, conf.resolve(file.getFileName()));
      }
    }
    site("ALL_SSD");
  }

  private static void site(String walPolicy) throws IOException {
    site(Map.of("hbase.wal.storage.policy", walPolicy));
  }

  private static void site(Map<String, String> settings) throws IOException {
    StringBuilder site = new StringBuilder("<configuration>");
    settings.forEach(
        (key, value) ->
            site.append(
                "<property><name>%s</name><value>%s</value></property>".formatted(key, value)));
    Files.writeString(conf.resolve("hbase-site.xml"), site.append("</configuration>"));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private int run(String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("--conf", conf.toString(), "--cores", "8"));
    args.addAll(List.of(more));
    return new AdviseCommand(new PrintStream(printed, true, StandardCharsets.UTF_8)).run(args);
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void volumesAreCountedAndMeasured() throws IOException {
    assertThat(run("--probe", "--probe-size", "1m", "--bandwidth", "DISK=100m")).isZero();
    assertThat(printed())
        .containsPattern("SSD +2 volumes on 1 nodes, .*/s each \\(measured\\)")
        .containsPattern("DISK +1 volumes on 1 nodes, .* 100 MB/s each \\(given\\)")
        .contains("logs on SSD, flushes to DISK, compactions to DISK")
        .contains("<property><name>hbase.hstore.flusher.count</name><value>2</value></property>")
        .contains("dfs.datanode.handler.count = 24");
    Configuration client = new Configuration();
    cluster.clientConfiguration().forEach(client::set);
    try (FileSystem fs = FileSystem.newInstance(client)) {
      assertThat(fs.listStatus(new org.apache.hadoop.fs.Path("/tmp"))).isEmpty();
    }
  }

  @Test
  void someCompactionsMayGoElsewhere() throws IOException {
    String rule = "hbase.fastpath.tiering.";
    site(
        Map.of(
            rule + "flush", "ALL_SSD",
            rule + "compaction", "ALL_SSD",
            rule + "large-compaction", "HOT"));
    assertThat(run("--bandwidth", "SSD=400m,DISK=200m")).isZero();
    assertThat(printed())
        .contains("flushes to SSD, compactions to SSD, some to DISK;")
        .contains("hbase.hstore.blockingStoreFiles = 64")
        .contains("flushes go to SSD, which is 4.0 times as fast as DISK")
        .contains("hbase.regionserver.thread.compaction.large = 2")
        .contains("hbase.regionserver.thread.compaction.throttle = 1610612736");
    site("ALL_SSD");
  }

  @Test
  void aWrongCallIsExplained() throws IOException {
    assertThat(run("--sevrers", "3")).isEqualTo(2);
    assertThat(printed()).startsWith("usage: tiers advise");
    assertThatThrownBy(() -> run("--servers", "none"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("--servers is none, allowed is a number from 1 to");
  }

  @Test
  void aPolicyThatNoVolumeIsThereForIsNamed() throws IOException {
    site("PROVIDED");
    assertThat(run()).isZero();
    assertThat(printed()).contains("logs on DISK");
    site("LUKEWARM");
    assertThatThrownBy(this::run)
        .hasMessage("hbase.wal.storage.policy is LUKEWARM, which is no policy of this HDFS");
    site("ALL_SSD");
  }
}
