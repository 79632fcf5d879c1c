package org.fastpath.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.fastpath.bench.results.Environment;
import org.fastpath.bench.results.Results;
import org.junit.jupiter.api.Test;

class BlogNumbersTest {
  private static final Environment HERE = Environment.here("a command", Map.of("HBase", "2.6"));

  private static String markdown(Results results) throws IOException {
    return BlogNumbers.markdown(BlogNumbers.stories(), List.of(results));
  }

  private static String row(String markdown, String what) {
    return markdown.lines().filter(line -> line.startsWith("| " + what)).findFirst().orElseThrow();
  }

  @Test
  void measuredNumbersStandBesideThePublished() throws IOException {
    Results.Builder results = Results.builder("compaction", HERE);
    for (double round : new double[] {1, 2, 3}) {
      results
          .round("compaction.cpu.user.seconds", Map.of(), "A", "s", 20 * round)
          .round("compaction.cpu.user.seconds", Map.of(), "C", "s", 16 * round)
          .round("compaction.checksum.share.percent", Map.of(), "A", "%", 5 + round);
    }
    String markdown = markdown(results.build());

    assertThat(row(markdown, "user CPU of a major compaction, Java CRC (A)"))
        .contains("| 95.4 s | 40.0 s | 3: 20.0–60.0 |");
    assertThat(row(markdown, "user CPU saved by native CRC")).contains("| 1.41× | 1.25× |");
    assertThat(row(markdown, "share of CPU in checksums, Java CRC (A)"))
        .contains("| 22.0 % | 7.00 % | 3: 6.00–8.00 |");
    assertThat(markdown).contains("HBASE-11927", "a command", "HBase 2.6");
  }

  @Test
  void aFasterScanStandsBesideWhatMetricsCostHere() throws IOException {
    Results.Builder results = Results.builder("metrics", HERE);
    for (double round : new double[] {1, 2, 3}) {
      results
          .round("metrics.scan.cpu", Map.of(), "off", "ns/row", 400 * round)
          .round("metrics.scan.cpu", Map.of(), "on", "ns/row", 500 * round)
          .round("metrics.scan.on.percent", Map.of(), "on", "%", -0.1 * round);
    }
    String markdown = markdown(results.build());

    assertThat(row(markdown, "single-threaded scans")).contains("| 1.09× | 0.80× | 3: 0.80–0.80 |");
    assertThat(row(markdown, "CPU that latencies per region add to a scan"))
        .contains("| – | -0.20 % | 3: -0.30–-0.10 |");
    assertThat(markdown).contains("HBASE-4050");
  }

  @Test
  void oneMeasurementIsToldFromAnotherByItsParameters() throws IOException {
    String name = "story.InstanceOfBenchmark.compare";
    Results.Builder results = Results.builder("story", HERE);
    for (double round : new double[] {1, 2, 3}) {
      results
          .round(name, Map.of("cells", "buffer"), "interface", "ops/us", 10 * round)
          .round(name, Map.of("cells", "array"), "interface", "ops/us", 20 * round)
          .round(name, Map.of("cells", "array"), "abstract-class", "ops/us", 50 * round)
          .round(name, Map.of("cells", "array"), "none", "ops/us", 60 * round);
    }
    String markdown = markdown(results.build());

    assertThat(row(markdown, "with instanceof of an interface, cells on heap"))
        .contains("| 15.5 ops/us | 40.0 ops/us | 3: 20.0–60.0 |");
    assertThat(row(markdown, "without instanceof over instanceof of an interface"))
        .contains("| 2.75× | 3.00× |");
    assertThat(row(markdown, "without instanceof over instanceof of an abstract class"))
        .contains("| almost the same, for any cells | 1.20× |");
  }

  @Test
  void clientThreadsAreToldApart() throws IOException {
    Results.Builder results = Results.builder("block-cache-live", HERE);
    for (String threads : new String[] {"5", "75"}) {
      Map<String, String> params = Map.of("value bytes", "1000", "threads", threads);
      double factor = Double.parseDouble(threads);
      results
          .round("live.multi-get.rate", params, "bucket-cache", "rows/s", 1000 * factor)
          .round("live.multi-get.rate", params, "ours", "rows/s", 1000 * factor * factor);
    }
    String markdown = markdown(results.build());

    assertThat(row(markdown, "multi-gets by 75 threads, BucketCache"))
        .contains("| – | 75,000 rows/s | 1 |");
    assertThat(row(markdown, "multi-gets by 5 threads, ours over")).contains("| – | 5.00× | 1 |");
    assertThat(row(markdown, "multi-gets by 25 threads, ours over")).contains("not measured");
  }

  @Test
  void readsWithoutCopiesStandBesideTheStorysRates() throws IOException {
    Results.Builder results = Results.builder("vecsum", HERE);
    for (double round : new double[] {1, 2, 3}) {
      Map<String, String> plain = Map.of("loop", "plain");
      Map<String, String> fast = Map.of("loop", "8 accumulators");
      results
          .round("vecsum.rate", plain, "zero-copy", "GB/s", 3 * round)
          .round("vecsum.rate", fast, "zero-copy", "GB/s", 5 * round)
          .round("vecsum.rate", fast, "tcp", "GB/s", round)
          .round("vecsum.cpu", fast, "zero-copy", "s/GB", round / 4)
          .round("vecsum.cpu", fast, "tcp", "s/GB", round);
    }
    String markdown = markdown(results.build());

    assertThat(row(markdown, "zero-copy |")).contains("| 5.90 GB/s | 10.0 GB/s | 3: 5.00–15.0 |");
    assertThat(row(markdown, "zero-copy over TCP")).contains("| 7.40× | 5.00× |");
    assertThat(row(markdown, "zero-copy, the plain loop")).contains("| – | 6.00 GB/s |");
    assertThat(row(markdown, "CPU per GB, zero-copy over TCP")).contains("| – | 4.00× |");
    assertThat(row(markdown, "cached data over data on disk"))
        .contains("| up to 59× | not measured in this run |");
  }

  @Test
  void whatIsAbsentIsSaidToBe() throws IOException {
    String markdown = markdown(Results.builder("nothing", HERE).build());

    assertThat(row(markdown, "user CPU of a major compaction, native CRC (C)"))
        .contains("| 67.5 s | not measured in this run | – |");
    assertThat(row(markdown, "user CPU saved by ours: A over D"))
        .contains("| – | not measured in this run | – |");
  }

  @Test
  void findingsAreLookedForInWhatWasMeasured() throws IOException {
    Map<String, String> mixed = Map.of("case", "1T_SSD_HDD", "over", "1T_SSD");
    Map<String, String> ram = Map.of("case", "1T_RAM_SSD", "over", "1T_SSD");
    Results.Builder results = Results.builder("tiers", HERE);
    for (double round : new double[] {1, 2, 3}) {
      results
          .round("tiers.ratio.throughput", mixed, "ours", "×", 0.98 + round / 100)
          .round("tiers.ratio.throughput", mixed, "stock-best", "×", 0.8)
          .round("tiers.ratio.throughput", ram, "ours", "×", 1.1)
          .round("tiers.ratio.cpu-limited", ram, "ours", "of rounds", round > 1 ? 1 : 0);
    }
    String markdown = markdown(results.build());

    assertThat(row(markdown, "four SSDs and four HDDs are as good"))
        .contains("| 1.02× | 1.00× | yes |");
    assertThat(row(markdown, "the same with stock HBase, store files on SSD"))
        .contains("| 1.02× | 0.80× | no |");
    assertThat(row(markdown, "WAL in RAM above SSD is the best"))
        .contains("| 1.09× | 1.10× | yes, but the machine's CPU was the limit |");
    assertThat(row(markdown, "with the guard, and the flushers that are advised"))
        .contains("| – | not measured in this run |");
  }

  @Test
  void everyNumberSaysWhyItDiffers() throws IOException {
    assertThat(BlogNumbers.stories())
        .flatExtracting(BlogNumbers.Story::numbers)
        .isNotEmpty()
        .allSatisfy(
            number -> {
              assertThat(number.why()).isNotBlank();
              assertThat(number.measurement()).isNotBlank();
              assertThat(number.side()).isNotBlank();
            });
  }
}
