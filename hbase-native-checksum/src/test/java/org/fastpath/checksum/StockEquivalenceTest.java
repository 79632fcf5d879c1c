package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stock and patched classes answer alike, bit for bit and word for word: {@link ChecksumTranscript}
 * in a JVM with stock jars and in one with ours, a million random cases per provider. A seed given
 * by {@code -Dchecksum.seed=N} replays a failure.
 */
class StockEquivalenceTest {
  private static final long CASES = 1_000_000;
  private static final long SEED =
      Long.getLong("checksum.seed", System.nanoTime() & Integer.MAX_VALUE);
  private static final Path LOGS = Path.of("target", "transcripts");

  /** By day not the one that is one of the others. */
  static Stream<Arguments> providers() {
    Stream<Arguments> named =
        Stream.of(
            arguments(true, "jdk"), arguments(false, "jdk"), arguments(true, "hadoop-native"));
    return Boolean.getBoolean("nightly")
        ? Stream.concat(named, Stream.of(arguments(true, "auto")))
        : named;
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("providers")
  void randomCasesAgree(boolean libhadoop, String provider) throws Exception {
    List<String> stock = StockRun.hashes(libhadoop);
    List<String> ours = hashes(ours(libhadoop, provider), provider + "-" + libhadoop);
    assertThat(stock).hasSize((int) (CASES / ChecksumTranscript.CASES_PER_LINE));
    if (!ours.equals(stock)) {
      assertThat(ours).as("seed %s: hashes are those of stock", SEED).hasSameSizeAs(stock);
      long first = firstDifference(stock, ours) * ChecksumTranscript.CASES_PER_LINE;
      assertThat(cases(ours(libhadoop, provider), "ours", first))
          .as("seed %s", SEED)
          .isEqualTo(cases(stock(libhadoop), "stock", first));
    }
    assertThat(ours).as("seed %s", SEED).isEqualTo(stock);
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @CsvSource({"true,jdk", "true,hadoop-native", "false,jdk"})
  void everyOneBitErrorIsFoundAndTracedAsStockDoes(boolean libhadoop, String provider)
      throws Exception {
    List<String> stock = damage(stock(libhadoop), "stock-" + libhadoop);
    List<String> ours = damage(ours(libhadoop, provider), provider + "-" + libhadoop);
    assertThat(ours).isEqualTo(stock);
    // Of a damaged block only a flip in the checksum type can make a right one: type 0 is "no
    // checksum".
    long taken = ours.stream().filter(line -> line.contains("true true true")).count();
    assertThat(taken).isGreaterThan(0);
    assertThat(ours).anyMatch(line -> line.contains("log TRACE Checksum error: "));
  }

  @Test
  void theTranscriptSeesADifference() throws Exception {
    List<String> one = cases(stock(false), "seed", 0);
    List<String> other =
        run(stock(false), "other-seed", "CASES", Long.toString(SEED + 1), "0", "1000")
            .lines("CASE");
    assertThat(one).isNotEqualTo(other);
  }

  /** The stock side is the same for every provider: one run each with and without libhadoop. */
  private static final class StockRun {
    private static final Map<Boolean, List<String>> HASHES = new ConcurrentHashMap<>();

    static List<String> hashes(boolean libhadoop) {
      return HASHES.computeIfAbsent(libhadoop, StockRun::run);
    }

    private static List<String> run(boolean libhadoop) {
      try {
        return StockEquivalenceTest.hashes(stock(libhadoop), "stock-" + libhadoop);
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static ForkedJvm stock(boolean libhadoop) {
    return libhadoop ? ForkedJvm.stock().withLibhadoop() : ForkedJvm.stock();
  }

  private static ForkedJvm ours(boolean libhadoop, String provider) {
    ForkedJvm jvm = ForkedJvm.ours().flag("-D" + ChecksumProvider.KEY + "=" + provider);
    return libhadoop ? jvm.withLibhadoop() : jvm;
  }

  private static List<String> hashes(ForkedJvm jvm, String name)
      throws IOException, InterruptedException {
    return run(jvm, name, "HASHES", Long.toString(SEED), "0", Long.toString(CASES)).lines("HASH");
  }

  private static List<String> cases(ForkedJvm jvm, String name, long first)
      throws IOException, InterruptedException {
    String last = Long.toString(first + ChecksumTranscript.CASES_PER_LINE);
    return run(jvm, name, "CASES", Long.toString(SEED), Long.toString(first), last).lines("CASE");
  }

  private static List<String> damage(ForkedJvm jvm, String name)
      throws IOException, InterruptedException {
    return run(jvm, "damage-" + name, "DAMAGE").lines("DAMAGE");
  }

  private static ForkedJvm.Result run(ForkedJvm jvm, String name, String... args)
      throws IOException, InterruptedException {
    ForkedJvm.Result result =
        jvm.run(LOGS.resolve(name + ".log"), ChecksumTranscript.class.getName(), args);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result;
  }

  private static long firstDifference(List<String> stock, List<String> ours) {
    int i = 0;
    while (stock.get(i).equals(ours.get(i))) {
      i++;
    }
    return i;
  }
}
