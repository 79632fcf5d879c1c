package org.fastpath.tiered.regionserver;

import org.apache.hadoop.hbase.regionserver.HStore;
import org.fastpath.cluster.JUnit4Methods;

/**
 * Runs test methods of HBase's with the rules of {@code src/test/upstream/hbase-site.xml}, by the
 * coprocessor where they start RegionServers, and in regions without a server. Says at the end how
 * many files were placed, or would have been but for the local file system, which has no policies.
 */
public final class TieredTests {
  static final String COUNT = "Placed files: ";

  private TieredTests() {}

  /** Arguments: those of {@link JUnit4Methods}. */
  public static void main(String[] args) throws ClassNotFoundException {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> System.out.println(COUNT + TierMetrics.written())));
    JUnit4Methods.main(args);
  }

  /** Has the rules of a store followed. */
  public static void attach(HStore store) {
    StoreTrackers.attach(store);
  }
}
