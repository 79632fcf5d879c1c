package org.fastpath.zcr.pin;

import java.util.List;
import java.util.Map;

/**
 * Creates a fake pinned file, so the sources of a RegionServer that pins show their metrics without
 * HDFS. It is in this package because these classes are package-private.
 */
public final class SamplePins {
  private static final String FILE = "/hbase/data/default/sample/region/family/file";

  private SamplePins() {}

  /** Makes the sources register, with one pseudo-source each. */
  public static void publish() {
    Directive directive = new Directive(FILE, List.of(1L), 1, 1, Long.MAX_VALUE, false);
    new PinMetrics().show(new PinReport(PinReport.NONE.next(), Map.of(FILE, directive), 1));
  }
}
