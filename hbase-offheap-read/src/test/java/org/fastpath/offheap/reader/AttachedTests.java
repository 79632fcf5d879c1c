package org.fastpath.offheap.reader;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.AttachedScanners;
import org.fastpath.cluster.JUnit4Methods;

/**
 * Runs HBase's test methods with the reader attached. If tests create stores, the stores' engine
 * attaches it; otherwise it is attached to each opened file. At the end, it prints how many
 * scanners were ours.
 */
public final class AttachedTests {
  static final String STOCK = "stock";
  static final String BY_ENGINE = "engine";
  static final String BY_FILE = "file";
  static final String COUNT = "Off-heap scanners: ";

  private AttachedTests() {}

  /**
   * Runs the tests. The first argument is one of the constants above, the others are those of
   * {@link JUnit4Methods}.
   */
  public static void main(String[] args) throws Exception {
    if (!args[0].equals(STOCK)) {
      Configuration.addDefaultResource("offheap-reader-site.xml");
    }
    if (args[0].equals(BY_FILE)) {
      AttachedScanners.attach();
    }
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> System.out.println(COUNT + ReaderMetrics.scanners())));
    JUnit4Methods.main(new String[] {args[1], args[2]});
  }
}
