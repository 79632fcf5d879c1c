package org.fastpath.clients;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.apache.hadoop.util.ToolRunner;

/**
 * A program that runs every test of HBase's PerformanceEvaluation in one JVM. Its argument is the
 * number of rows. Its exit code is not 0 if a test failed, or if PerformanceEvaluation has a test
 * that is missing here.
 */
public final class PerformanceEvaluations {
  /** The last line of a run without a failure. */
  static final String DONE = "all tests of PerformanceEvaluation passed";

  /**
   * The tests in this order, because reads need the rows of earlier writes. A number before a name
   * is its number of rows.
   */
  private static final List<String> TESTS =
      List.of(
          "--presplit=4 sequentialWrite",
          "randomWrite",
          "--columns=5 --flushCommits=true randomWrite",
          "asyncSequentialWrite",
          "asyncRandomWrite",
          "sequentialRead",
          "randomRead",
          "--addColumns=false randomRead",
          "--multiGet=20 randomRead",
          "asyncSequentialRead",
          "asyncRandomRead",
          "scan",
          "--addColumns=false scan",
          "--scanReadType=stream scan",
          "asyncScan",
          "reverseScan",
          "--rows=200 scanRange10",
          "--rows=200 scanRange100",
          "--rows=200 scanRange1000",
          "--rows=200 scanRange10000",
          "--rows=200 randomSeekScan",
          "--rows=20 filterScan",
          "append",
          "increment",
          "checkAndPut",
          "checkAndMutate",
          "checkAndDelete",
          "--rows=200 metaWrite",
          "--rows=200 metaRandomRead",
          "--rows=200 cleanMeta",
          "randomDelete",
          "sequentialDelete",
          "--multiPut=50 --autoFlush=true --blockEncoding=FAST_DIFF --presplit=4 --table=Encoded"
              + " sequentialWrite",
          "--blockEncoding=FAST_DIFF --table=Encoded scan");

  private PerformanceEvaluations() {}

  /** Runs the tests and ends the process. */
  public static void main(String[] args) throws Exception {
    requireAllListed();
    for (String test : TESTS) {
      List<String> words = new ArrayList<>(List.of("--nomapred", "--valueSize=100"));
      words.add("--rows=" + args[0]);
      words.addAll(Arrays.asList(test.split(" ")));
      words.add("2");
      run(words);
    }
    System.out.println(DONE);
    System.exit(0);
  }

  private static void run(List<String> words) throws Exception {
    long begin = System.nanoTime();
    Configuration conf = HBaseConfiguration.create();
    int code = ToolRunner.run(conf, new PerformanceEvaluation(conf), words.toArray(String[]::new));
    System.out.println(words + ": " + (System.nanoTime() - begin) / 1_000_000 + " ms");
    if (code != 0) {
      System.out.println(words + " failed with exit code " + code);
      System.exit(1);
    }
  }

  private static void requireAllListed() throws ReflectiveOperationException {
    Field field = PerformanceEvaluation.class.getDeclaredField("COMMANDS");
    field.setAccessible(true);
    Set<Object> missing = new HashSet<>(((Map<?, ?>) field.get(null)).keySet());
    TESTS.forEach(test -> missing.remove(test.substring(test.lastIndexOf(' ') + 1)));
    if (!missing.isEmpty()) {
      System.out.println("not listed: " + missing);
      System.exit(1);
    }
  }
}
