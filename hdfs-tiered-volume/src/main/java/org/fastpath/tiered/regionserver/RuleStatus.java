package org.fastpath.tiered.regionserver;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.fastpath.common.FeatureStatus;
import org.fastpath.common.FeatureStatus.State;
import org.fastpath.tiered.status.HBaseFeatures;

/**
 * Publishes whether rules for tiers are followed in this process. The wrong rules of one family
 * make the feature misconfigured until a store of that family is opened with right ones. Safe from
 * any thread.
 */
final class RuleStatus {
  private static final FeatureStatus STATUS = HBaseFeatures.TIER_RULES.status();

  /** Why rules are not followed, by table and family. */
  private static final Map<String, String> WRONG = new ConcurrentSkipListMap<>();

  private RuleStatus() {}

  /**
   * Rules are looked for from now on, if HBase's code allows it.
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

  /** The rules of a store are right, or there are none. */
  static void right(HStore store) {
    if (WRONG.remove(name(store)) != null) {
      publish();
    }
  }

  /** The rules of a store are wrong. */
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
