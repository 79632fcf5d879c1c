package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.fastpath.tiered.InvalidValueException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy of the WAL, which HBase itself has a key for. A log is one for all tables of a
 * RegionServer, so that a rule of a table could say nothing more; but HBase says nothing of a
 * policy that is not there, and writes the log where HDFS would have it. Safe from any thread.
 */
final class WalPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(WalPolicy.class);
  private static final AtomicBoolean CHECKED = new AtomicBoolean();

  private WalPolicy() {}

  /** Says once in this process what is wrong. */
  static void check(Configuration site) {
    if (CHECKED.compareAndSet(false, true)) {
      try {
        TierCheck check = new TierCheck(CommonFSUtils.getWALFileSystem(site));
        check.require(rule(site));
      } catch (InvalidValueException e) {
        TierMetrics.misconfiguredWal(e);
      } catch (IOException | RuntimeException e) {
        LOG.warn("The policy of the WAL could not be checked", e);
      }
    }
  }

  /** The policy by its key; nothing if HDFS is to decide. */
  static Map<String, String> rule(Configuration site) {
    String key = HConstants.WAL_STORAGE_POLICY;
    String policy =
        site.getTrimmed(key, HConstants.DEFAULT_WAL_STORAGE_POLICY).toUpperCase(Locale.ROOT);
    return policy.isEmpty() || policy.equals(HConstants.DEFER_TO_HDFS_STORAGE_POLICY)
        ? Map.of()
        : Map.of(key, policy);
  }
}
