package org.fastpath.offheap.inline;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.RSRpcServices;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.fastpath.common.FeatureStatus.State;
import org.fastpath.offheap.status.CacheFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configures a RegionServer for inline reads if its keys enable them. */
public final class InlineReads {
  private static final Logger LOG = LoggerFactory.getLogger(InlineReads.class);
  private static final String KEY = RSRpcServices.REGION_SERVER_RPC_SCHEDULER_FACTORY_CLASS;
  private static final String STOCK = SimpleRpcSchedulerFactory.class.getName();
  private static final String OURS = InlineReadSchedulerFactory.class.getName();

  private InlineReads() {}

  /**
   * Sets the class that creates the scheduler of calls. If another class is configured, it stays.
   *
   * @param conf the server's configuration, after the reader's keys have been set in it
   * @return the same configuration
   * @throws IllegalArgumentException naming the key, its value and the allowed values
   */
  public static Configuration prepared(Configuration conf) {
    boolean enabled = InlineOptions.of(conf).enabled();
    String chosen = conf.getTrimmed(KEY, STOCK);
    if (!enabled) {
      CacheFeatures.INLINE_READS.off(InlineOptions.ENABLED + " is false");
    } else if (CacheFeatures.LEAN_SCANS.state() != State.ACTIVE) {
      CacheFeatures.INLINE_READS.off("lean scans are not active");
    } else if (!chosen.equals(STOCK) && !chosen.equals(OURS)) {
      String reason = KEY + " is " + chosen + "; remove that key to enable inline reads";
      LOG.warn("Inline reads are off: {}", reason);
      CacheFeatures.INLINE_READS.off(reason);
    } else if (CacheFeatures.check(CacheFeatures.INLINE_READS)) {
      conf.set(KEY, OURS);
      CacheFeatures.INLINE_READS.active();
    }
    return conf;
  }
}
