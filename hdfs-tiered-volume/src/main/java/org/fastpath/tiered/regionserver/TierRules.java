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
 * The rules for the storage policy of each new file of a store. They are keys of {@code
 * hbase-site.xml}. An attribute of the table overrides a key, and one of the column family
 * overrides both:
 *
 * <pre>
 * hbase.fastpath.tiering.flush                    files of flushes
 * hbase.fastpath.tiering.compaction               files of all compactions
 * hbase.fastpath.tiering.major-compaction         files of major ones; overrides the last
 * hbase.fastpath.tiering.large-compaction         files of large inputs; overrides both
 * hbase.fastpath.tiering.large-compaction-size    bytes of inputs from which they are large
 * hbase.fastpath.tiering.old-compaction           files of old cells; overrides all others
 * hbase.fastpath.tiering.old-compaction-age       age from which the newest cell is old
 * hbase.fastpath.tiering.mob                      MOB files, by flushes and compactions
 * hbase.fastpath.tiering.bulk-load                files that are bulk-loaded, at their load
 * hbase.fastpath.tiering.compression.POLICY       format of files with that policy; see
 * hbase.fastpath.tiering.encoding.POLICY          {@link TierFormat}
 * hbase.fastpath.tiering.block-size.POLICY
 * </pre>
 *
 * <p>A file without a rule gets no policy of its own. The policy of its directory applies, which is
 * the family's {@code STORAGE_POLICY}. Immutable.
 */
public final class TierRules {
  static final String PREFIX = "hbase.fastpath.tiering.";

  /** The policy of files that a flush writes. */
  public static final String FLUSH = PREFIX + "flush";

  /** The policy of files that any compaction writes. */
  public static final String COMPACTION = PREFIX + "compaction";

  /** The policy of files that a major compaction writes; overrides the last. */
  public static final String MAJOR = PREFIX + "major-compaction";

  /** The policy of files that a compaction of large inputs writes; overrides both. */
  public static final String LARGE = PREFIX + "large-compaction";

  static final String LARGE_SIZE = PREFIX + "large-compaction-size";

  /** The policy of files that a compaction of old cells writes; overrides all others. */
  public static final String OLD = PREFIX + "old-compaction";

  static final String OLD_AGE = PREFIX + "old-compaction-age";
  static final String MOB = PREFIX + "mob";
  static final String BULK_LOAD = PREFIX + "bulk-load";

  /** Keys that need another key, which is the value. */
  static final Map<String, String> LIMITS = Map.of(LARGE_SIZE, LARGE, OLD_AGE, OLD);

  /** The published story's limit between files on SSD and files on HDD. */
  private static final String DEFAULT_LARGE_SIZE = "1536m";

  private static final long MIN_LARGE_SIZE = 1 << 20;
  private static final long MAX_LARGE_SIZE = 1L << 50;
  private static final String DEFAULT_OLD_AGE = "30d";
  private static final long MIN_OLD_AGE = TimeUnit.SECONDS.toMillis(1);
  private static final long MAX_OLD_AGE = TimeUnit.DAYS.toMillis(36_525);

  private static final Set<String> COMPACTION_KEYS = Set.of(COMPACTION, MAJOR, LARGE, OLD);

  private static final Set<String> POLICY_KEYS =
      Set.of(FLUSH, COMPACTION, MAJOR, LARGE, OLD, MOB, BULK_LOAD);

  /** HDFS gives it only to new files, by a flag at their creation. */
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
   * Reads the rules of a store from its configuration, which includes its table's and family's
   * attributes.
   *
   * @throws InvalidValueException naming the key, the value and the allowed values
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
            MIN_LARGE_SIZE,
            MAX_LARGE_SIZE,
            "bytes, or with the suffix k, m, g or t,");
    long oldAge = Values.millis(store, OLD_AGE, DEFAULT_OLD_AGE, MIN_OLD_AGE, MAX_OLD_AGE);
    requireNoOther(store, policies);
    return new TierRules(policies, largeSize, oldAge, formats);
  }

  /** Returns the policy in the value of a key. */
  static String policy(String key, String value) {
    String policy = value.toUpperCase(Locale.ROOT);
    if (policy.equals(LAZY_PERSIST)) {
      throw new InvalidValueException(
          key, value, "any other policy, because HDFS does not give this one to an existing file");
    }
    return policy;
  }

  /** Returns whether a key is about files of a store's tracker, which have formats. */
  private static boolean isWritten(String key) {
    return key.equals(FLUSH) || COMPACTION_KEYS.contains(key);
  }

  /**
   * Rejects rules together with HBase's own policies for date-tiered compaction, which HBase sets
   * at the end.
   */
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

  /** Rejects an unknown key with the prefix of these keys. */
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

  /**
   * Returns whether both give existing files the same policies. Formats apply only to future files.
   */
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

  /** Returns whether there are no rules. */
  boolean isEmpty() {
    return policies.isEmpty();
  }

  /** Returns the policies that files can get, by key. */
  public Map<String, String> policies() {
    return policies;
  }

  /**
   * Returns the input bytes from which a compaction is large; empty without a rule for large ones.
   */
  public OptionalLong largeBytes() {
    return policies.containsKey(LARGE) ? OptionalLong.of(largeSize) : OptionalLong.empty();
  }

  /** Returns the formats of files of a store's tracker, by policy. */
  Map<String, TierFormat> formats() {
    return formats;
  }

  /** Returns the policy of a file of a store's tracker. */
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

  /** Returns the policy of MOB files. */
  Optional<String> mob() {
    return first(MOB);
  }

  /** Returns the policy of bulk-loaded files. */
  Optional<String> bulkLoad() {
    return first(BULK_LOAD);
  }
}
