package org.fastpath.common.guard;

import java.util.function.Supplier;
import org.fastpath.common.FeatureStatus;

/**
 * Compares the code that a feature relies on once, when a daemon asks for the feature. Safe from
 * any thread.
 */
public final class FeatureGuard {
  private final FeatureStatus status;
  private final Class<?> ours;
  private final Supplier<String> upstream;
  private final String key;
  private final Supplier<String> value;
  private GuardedFeature checked;

  /**
   * Makes a guard; nothing is compared yet.
   *
   * @param ours a class of the feature: its jar holds the list, its class loader the upstream code
   * @param upstream names the upstream code in the log, such as {@code HBase 2.6.6}
   * @param key {@link Unverified#HBASE_KEY} or {@link Unverified#HDFS_KEY}
   * @param value returns the key's value, or null
   */
  public FeatureGuard(
      FeatureStatus status,
      Class<?> ours,
      Supplier<String> upstream,
      String key,
      Supplier<String> value) {
    this.status = status;
    this.ours = ours;
    this.upstream = upstream;
    this.key = key;
    this.value = value;
  }

  /** Returns the status that the feature publishes. */
  public FeatureStatus status() {
    return status;
  }

  /**
   * Returns whether upstream code allows the feature. If it does not, each call publishes the
   * reason; the first one logs it.
   */
  public synchronized boolean usable() {
    if (checked == null) {
      checked = GuardedFeature.check(status, ours, upstream.get(), key, value);
    }
    if (!checked.usable()) {
      status.fallenBack(checked.reason());
    }
    return checked.usable();
  }

  /** Returns why the feature may not be used; empty if it may. */
  public String reason() {
    return usable() ? "" : checked.reason();
  }
}
