package org.fastpath.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.fastpath.bench.engine.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MainTest {
  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @BeforeEach
  void capture() {
    PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(both);
    System.setErr(both);
  }

  @AfterEach
  void restore() {
    System.setOut(out);
    System.setErr(err);
  }

  private void usageError(String message, String... args) {
    assertThat(Main.run(args)).isEqualTo(2);
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains(message, "Usage: benchmarks");
  }

  @Test
  void clusterCommandsRefuseSizesThatMeanNothing() {
    usageError("0 is not a number of at least 1", "workload", "metrics", "--rounds", "0");
    usageError("--files is 1: at least 2 is needed", "workload", "compaction", "--files", "1");
    usageError(
        "--table in rows is 1015: at least 10000 is needed",
        "workload",
        "reader-live",
        "--table",
        "1",
        "--value-bytes",
        "1000");
    usageError("there is no reads write", "workload", "reader-live", "--reads", "get,write");
    usageError("there is no side E", "workload", "compaction", "--sides", "A,E");
    usageError("--checksum is MD5", "workload", "compaction", "--checksum", "MD5");
    usageError("0 is not a number of at least 1", "workload", "metrics", "--seconds", "0");
    usageError("there is no reads put", "workload", "metrics", "--reads", "get,put");
    usageError("--blocks is 5: at least 100000", "workload", "block-cache", "--blocks", "5");
    usageError("there is no cache hat", "workload", "block-cache", "--caches", "hat");
    usageError("there is no measurement weight", "workload", "block-cache", "--measure", "weight");
    usageError("--cache is 8: at least 64", "workload", "block-cache-live", "--cache", "8");
    usageError("there is no reads put", "workload", "block-cache-live", "--reads", "put");
    usageError("--scan is 99: 0 to 90", "workload", "block-cache-live", "--scan", "99");
    usageError("--zipf is -1.0: 0 to 5", "workload", "block-cache-live", "--zipf", "-1");
    usageError("there is no mode udp", "workload", "vecsum", "--modes", "tcp,udp");
    usageError("0 is not a number of at least 1", "workload", "vecsum", "--passes", "0");
    usageError("there is no side theirs", "workload", "tiers", "--conf", "theirs:files=57");
    usageError("--size is 64: at least 128", "workload", "preads", "--size", "64");
    usageError("0 is not a number of at least 1", "workload", "preads", "--threads", "1,0");
    usageError("Missing required subcommand", "workload");
  }

  @Test
  void patternIsRequired() {
    usageError("an include pattern is required");
  }

  @Test
  void patternMustBeARegularExpression() {
    usageError("is not a regular expression", "check(sum");
  }

  @Test
  void patternMustMatch() {
    usageError("no benchmark matches \"nonesuch\"", "nonesuch");
  }

  @Test
  void parameterMustExist() {
    usageError(
        "no parameter \"colour\"; there are: [algorithm, buffer",
        "checksum",
        "--param",
        "colour=red");
  }

  @Test
  void parameterNeedsAValue() {
    usageError("is not of the form name=value", "checksum", "--param", "size");
  }

  @Test
  void worldMustExist() {
    usageError(
        "there is no world moon; choose from jdk, stock-native", "checksum", "--world", "moon");
  }

  @Test
  void worldMustBeOneOfTheBenchmarks() {
    usageError("runs in these worlds", "JdkChunks", "--world", "stock-java");
  }

  @Test
  void listRunsNothing() {
    int exit =
        Main.run("HFileBlockBenchmark", "--quick", "--world", "stock-java,ours-auto", "--list");

    assertThat(exit).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("checksum.HFileBlockBenchmark.validate {algorithm=CRC32C, buffer=2-part")
        .contains("2 forks per round");
  }

  @Test
  void blockCachesAreVariantsOfOneWorld() {
    assertThat(Main.run("offheap", "--quick", "--list")).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("offheap.GetBlockBenchmark.getBlock {access=one-hot, cache=ours, threads=2}")
        .contains("offheap.ChurnBenchmark.cacheBlock {blocks=64 KB, cache=bucket-cache")
        .contains("offheap.DataBlockBenchmark.dataBlock {access=uniform, cache=ours, threads=4}")
        .doesNotContain("cache=before")
        .contains("24 forks per round");
  }

  @Test
  void anEarlierBuildIsAVariantInAWorldOfItsOwn() {
    try {
      assertThat(Main.run("offheap.D", "--quick", "--list", "--before", "old.jar")).isZero();
    } finally {
      System.clearProperty(World.BEFORE);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("{access=uniform, cache=before, threads=4} in world off-heap-before")
        .contains("{access=uniform, cache=ours, threads=4} in world off-heap\n")
        .contains("12 forks per round");
  }

  @Test
  void missingResultsFileIsAnErrorWithItsName() {
    assertThat(Main.run("report", "nonesuch.json")).isEqualTo(1);
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("error: ", "nonesuch.json");
  }
}
