package org.fastpath.tiered.regionserver;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.FeatureStatus.State;
import org.fastpath.tiered.status.HBaseFeatures;

/**
 * Publishes whether this process applies rules for tiers. Wrong rules of one family make the
 * feature misconfigured until a store of that family opens with correct rules. Thread-safe.
 */
final class RuleStatus {
  private static final FeatureStatus STATUS = HBaseFeatures.TIER_RULES.status();

  /** The reasons why rules are not applied, by table and family. */
  private static final Map<String, String> WRONG = new ConcurrentSkipListMap<>();

  private RuleStatus() {}

  /**
   * Reports the start, and checks whether HBase's code allows rules.
   *
   * @return whether it does
   */
  static boolean started() {
    if (!HBaseFeatures.TIER_RULES.usable()) {
      return false;
    }
    if (STATUS.state() == State.OFF) {
      publish();
    }
    return true;
  }

  /** Reports that the rules of a store are correct, or that it has none. */
  static void right(HStore store) {
    if (WRONG.remove(name(store)) != null) {
      publish();
    }
  }

  /** Reports that the rules of a store are wrong. */
  static void wrong(HStore store, String reason) {
    WRONG.put(name(store), reason);
    publish();
  }

  private static String name(HStore store) {
    return store.getTableName() + ", " + store.getColumnFamilyName();
  }

  private static synchronized void publish() {
    WRONG.entrySet().stream()
        .findFirst()
        .ifPresentOrElse(
            one -> STATUS.misconfigured(one.getKey() + ": " + one.getValue()), STATUS::active);
  }
}
