package org.fastpath.tiered.regionserver;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionConfiguration;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.Values;

/**
 * Which storage policy each file of a store is written with. Keys of {@code hbase-site.xml}, which
 * an attribute of the table goes before, and one of the column family before that:
 *
 * <pre>
 * hbase.fastpath.tiering.flush                    what a flush writes
 * hbase.fastpath.tiering.compaction               what any compaction writes
 * hbase.fastpath.tiering.major-compaction         what a major one does; goes before the last
 * hbase.fastpath.tiering.large-compaction         what one of large inputs does; before both
 * hbase.fastpath.tiering.large-compaction-size    bytes of inputs from which they are large
 * hbase.fastpath.tiering.old-compaction           what one of old cells does; before all others
 * hbase.fastpath.tiering.old-compaction-age       age from which the newest cell is old
 * hbase.fastpath.tiering.mob                      MOB files, by flushes and compactions
 * hbase.fastpath.tiering.bulk-load                files that are bulk-loaded, at their load
 * hbase.fastpath.tiering.compression.POLICY       how files with that policy are written; see
 * hbase.fastpath.tiering.encoding.POLICY          {@link TierFormat}
 * hbase.fastpath.tiering.block-size.POLICY
 * </pre>
 *
 * <p>A file that no rule is about gets no policy of its own: that of its directory holds, which is
 * the family's {@code STORAGE_POLICY}, as without rules. Immutable.
 */
public final class TierRules {
  static final String PREFIX = "hbase.fastpath.tiering.";

  /** What a flush writes. */
  public static final String FLUSH = PREFIX + "flush";

  /** What any compaction writes. */
  public static final String COMPACTION = PREFIX + "compaction";

  /** What a major one does; goes before the last. */
  public static final String MAJOR = PREFIX + "major-compaction";

  /** What one of large inputs does; goes before both. */
  public static final String LARGE = PREFIX + "large-compaction";

  static final String LARGE_SIZE = PREFIX + "large-compaction-size";

  /** What one of old cells does; goes before all others. */
  public static final String OLD = PREFIX + "old-compaction";

  static final String OLD_AGE = PREFIX + "old-compaction-age";
  static final String MOB = PREFIX + "mob";
  static final String BULK_LOAD = PREFIX + "bulk-load";

  /** Keys that mean nothing without another, which stands behind them. */
  static final Map<String, String> LIMITS = Map.of(LARGE_SIZE, LARGE, OLD_AGE, OLD);

  /** The story's limit between what stays on SSD and what goes to HDD. */
  private static final String DEFAULT_LARGE_SIZE = "1536m";

  private static final long LEAST_LARGE_SIZE = 1 << 20;
  private static final long MOST_LARGE_SIZE = 1L << 50;
  private static final String DEFAULT_OLD_AGE = "30d";
  private static final long LEAST_OLD_AGE = TimeUnit.SECONDS.toMillis(1);
  private static final long MOST_OLD_AGE = TimeUnit.DAYS.toMillis(36_525);

  private static final Set<String> COMPACTION_KEYS = Set.of(COMPACTION, MAJOR, LARGE, OLD);

  private static final Set<String> POLICY_KEYS =
      Set.of(FLUSH, COMPACTION, MAJOR, LARGE, OLD, MOB, BULK_LOAD);

  /** HDFS gives it to new files only, by a flag at their creation. */
  private static final String LAZY_PERSIST = "LAZY_PERSIST";

  private final Map<String, String> policies;
  private final long largeSize;
  private final long oldAgeMillis;
  private final Map<String, TierFormat> formats;

  private TierRules(
      Map<String, String> policies,
      long largeSize,
      long oldAgeMillis,
      Map<String, TierFormat> formats) {
    this.policies = Map.copyOf(policies);
    this.largeSize = largeSize;
    this.oldAgeMillis = oldAgeMillis;
    this.formats = Map.copyOf(formats);
  }

  /**
   * The rules of a store with that configuration, its table's and family's attributes included.
   *
   * @throws InvalidValueException naming key, value and what is allowed
   */
  public static TierRules of(Configuration store) {
    Map<String, String> policies = new HashMap<>();
    Map<String, TierFormat> formats = new HashMap<>();
    for (String key : new TreeSet<>(POLICY_KEYS)) {
      String value = store.getTrimmed(key, "");
      if (!value.isEmpty()) {
        String policy = policy(key, value);
        policies.put(key, policy);
        if (isWritten(key)) {
          formats.computeIfAbsent(policy, name -> TierFormat.of(store, name));
        }
      }
    }
    long largeSize =
        Values.whole(
            store,
            LARGE_SIZE,
            DEFAULT_LARGE_SIZE,
            LEAST_LARGE_SIZE,
            MOST_LARGE_SIZE,
            "bytes, or with the suffix k, m, g or t,");
    long oldAge = Values.millis(store, OLD_AGE, DEFAULT_OLD_AGE, LEAST_OLD_AGE, MOST_OLD_AGE);
    requireNoOther(store, policies);
    return new TierRules(policies, largeSize, oldAge, formats);
  }

  /** The policy that the value of a key names. */
  static String policy(String key, String value) {
    String policy = value.toUpperCase(Locale.ROOT);
    if (policy.equals(LAZY_PERSIST)) {
      throw new InvalidValueException(
          key, value, "any policy but this, which HDFS does not give to a file that exists");
    }
    return policy;
  }

  /** Whether a key is about files that a store's tracker makes, which have formats. */
  private static boolean isWritten(String key) {
    return key.equals(FLUSH) || COMPACTION_KEYS.contains(key);
  }

  /** HBase gives a file that date-tiered compaction has written its own policy in the end. */
  private static void requireNoOther(Configuration store, Map<String, String> policies) {
    String switchKey = CompactionConfiguration.DATE_TIERED_STORAGE_POLICY_ENABLE_KEY;
    if (!store.getBoolean(switchKey, false) || !isDateTiered(store)) {
      return;
    }
    for (String key : new TreeSet<>(COMPACTION_KEYS)) {
      if (policies.containsKey(key)) {
        throw new InvalidValueException(
            key, policies.get(key), "nothing while " + switchKey + " is true");
      }
    }
  }

  private static boolean isDateTiered(Configuration store) {
    Class<?> engine = store.getClassByNameOrNull(store.get(StoreEngine.STORE_ENGINE_CLASS_KEY, ""));
    return engine != null && DateTieredStoreEngine.class.isAssignableFrom(engine);
  }

  /** Refuses a key that looks like one of these and is none. */
  static void requireKnown(String key, String value) {
    if (key.startsWith(PREFIX)
        && !POLICY_KEYS.contains(key)
        && !LIMITS.containsKey(key)
        && !AtRestRules.KEYS.contains(key)
        && TierFormat.policyOf(key).isEmpty()) {
      Set<String> known = new TreeSet<>(POLICY_KEYS);
      known.addAll(LIMITS.keySet());
      known.addAll(AtRestRules.KEYS);
      TierFormat.PREFIXES.forEach(prefix -> known.add(prefix + "POLICY"));
      throw new InvalidValueException(
          key, value, "nothing: the keys are " + String.join(", ", known));
    }
  }

  /** Whether they want the same of files; formats are only about files to come. */
  @Override
  public boolean equals(Object other) {
    return other instanceof TierRules rules
        && policies.equals(rules.policies)
        && largeSize == rules.largeSize
        && oldAgeMillis == rules.oldAgeMillis;
  }

  @Override
  public int hashCode() {
    return Objects.hash(policies, largeSize, oldAgeMillis);
  }

  /** Whether no file has a rule. */
  boolean isEmpty() {
    return policies.isEmpty();
  }

  /** The policies that files can get, by the key that says so. */
  public Map<String, String> policies() {
    return policies;
  }

  /** Bytes of inputs from which a compaction is a large one; none if there is no rule for those. */
  public OptionalLong largeBytes() {
    return policies.containsKey(LARGE) ? OptionalLong.of(largeSize) : OptionalLong.empty();
  }

  /** How files that a store's tracker makes are written, by their policy. */
  Map<String, TierFormat> formats() {
    return formats;
  }

  /** The policy of a file that a store's tracker makes. */
  Optional<String> policy(StoreFileOrigin file) {
    return switch (file.kind()) {
      case FLUSH -> first(FLUSH);
      case MINOR_COMPACTION -> ofCompaction(file, COMPACTION);
      case MAJOR_COMPACTION -> ofCompaction(file, MAJOR, COMPACTION);
    };
  }

  private Optional<String> ofCompaction(StoreFileOrigin file, String... others) {
    if (file.ageMillis() >= oldAgeMillis && policies.containsKey(OLD)) {
      return first(OLD);
    }
    if (file.inputBytes() >= largeSize && policies.containsKey(LARGE)) {
      return first(LARGE);
    }
    return first(others);
  }

  private Optional<String> first(String... keys) {
    for (String key : keys) {
      String policy = policies.get(key);
      if (policy != null) {
        return Optional.of(policy);
      }
    }
    return Optional.empty();
  }

  /** The policy of MOB files. */
  Optional<String> mob() {
    return first(MOB);
  }

  /** The policy of files that are bulk-loaded. */
  Optional<String> bulkLoad() {
    return first(BULK_LOAD);
  }
}
