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
 * Checks the policy of the WAL, for which HBase has a key. All tables of a RegionServer share a
 * log, so a rule of a table is not possible. If the policy does not exist, HBase reports nothing
 * and writes the log with HDFS's default. Thread-safe.
 */
final class WalPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(WalPolicy.class);
  private static final AtomicBoolean CHECKED = new AtomicBoolean();

  private WalPolicy() {}

  /** Logs a wrong policy once in this process. */
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

  /** Returns the policy by its key; empty if HDFS decides. */
  static Map<String, String> rule(Configuration site) {
    String key = HConstants.WAL_STORAGE_POLICY;
    String policy =
        site.getTrimmed(key, HConstants.DEFAULT_WAL_STORAGE_POLICY).toUpperCase(Locale.ROOT);
    return policy.isEmpty() || policy.equals(HConstants.DEFER_TO_HDFS_STORAGE_POLICY)
        ? Map.of()
        : Map.of(key, policy);
  }
}
