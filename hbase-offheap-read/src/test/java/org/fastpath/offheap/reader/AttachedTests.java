package org.fastpath.offheap.reader;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.AttachedScanners;
import org.fastpath.cluster.JUnit4Methods;

/**
 * Runs test methods of HBase's with the reader attached: by the engine of stores where tests make
 * stores, or below every file that is opened. Says at the end how many scanners were ours.
 */
public final class AttachedTests {
  static final String STOCK = "stock";
  static final String BY_ENGINE = "engine";
  static final String BY_FILE = "file";
  static final String COUNT = "Off-heap scanners: ";

  private AttachedTests() {}

  /** The first argument is one of the above, the others are those of {@link JUnit4Methods}. */
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
