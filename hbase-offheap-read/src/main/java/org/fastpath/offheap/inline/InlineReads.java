package org.fastpath.offheap.inline;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.RSRpcServices;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.fastpath.common.FeatureStatus.State;
import org.fastpath.offheap.status.CacheFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts inline reads into the configuration of a RegionServer that asks for them. */
public final class InlineReads {
  private static final Logger LOG = LoggerFactory.getLogger(InlineReads.class);
  private static final String KEY = RSRpcServices.REGION_SERVER_RPC_SCHEDULER_FACTORY_CLASS;
  private static final String STOCK = SimpleRpcSchedulerFactory.class.getName();
  private static final String OURS = InlineReadSchedulerFactory.class.getName();

  private InlineReads() {}

  /**
   * Sets the class that makes the scheduler of calls. A class that somebody else chose stays.
   *
   * @param conf the server's, after the keys of the reader have been set in it
   * @return the same configuration
   * @throws IllegalArgumentException naming the key, its value and what is allowed
   */
  public static Configuration prepared(Configuration conf) {
    boolean enabled = InlineOptions.of(conf).enabled();
    String chosen = conf.getTrimmed(KEY, STOCK);
    if (!enabled) {
      CacheFeatures.INLINE_READS.off(InlineOptions.ENABLED + " is false");
    } else if (CacheFeatures.LEAN_SCANS.state() != State.ACTIVE) {
      CacheFeatures.INLINE_READS.off("lean scans are not active");
    } else if (!chosen.equals(STOCK) && !chosen.equals(OURS)) {
      String reason = KEY + " is " + chosen + "; remove that key to switch inline reads on";
      LOG.warn("Inline reads stand aside: {}", reason);
      CacheFeatures.INLINE_READS.off(reason);
    } else if (CacheFeatures.check(CacheFeatures.INLINE_READS)) {
      conf.set(KEY, OURS);
      CacheFeatures.INLINE_READS.active();
    }
    return conf;
  }
}
