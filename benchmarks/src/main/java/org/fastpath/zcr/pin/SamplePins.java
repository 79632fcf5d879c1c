package org.fastpath.zcr.pin;

import java.util.List;
import java.util.Map;

/**
 * A file that is pinned, so that the sources of pinning tell what they have without an HDFS. In
 * this package because these classes are nobody else's business.
 */
public final class SamplePins {
  private static final String PATH = "/hbase/data/default/sample/region/family/file";

  private SamplePins() {}

  /** Makes the sources register, with one pseudo-source. */
  public static void publish() {
    Directive directive = new Directive(PATH, List.of(1L), 1, 1, Long.MAX_VALUE, false);
    new PinMetrics().show(new PinReport(PinReport.NONE.next(), Map.of(PATH, directive), 1));
  }
}
