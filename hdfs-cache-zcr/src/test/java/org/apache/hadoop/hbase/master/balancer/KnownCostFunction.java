package org.apache.hadoop.hbase.master.balancer;

import org.apache.hadoop.conf.Configuration;
import org.fastpath.zcr.pin.CachedBytes;

/** A cost function with the test's knowledge. */
public class KnownCostFunction extends CachedReplicaCostFunction {
  private static volatile CachedBytes known = CachedBytes.NONE;

  /** Called by HBase. */
  public KnownCostFunction(Configuration conf) {
    super(conf);
  }

  static void know(CachedBytes cached) {
    known = cached;
  }

  @Override
  CachedBytes cached() {
    return known;
  }
}
