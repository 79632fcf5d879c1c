package org.fastpath.tiered.regionserver;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.Values;

/**
 * Which storage policy each store file of a store is written with. Keys of {@code hbase-site.xml},
 * which an attribute of the table goes before, and one of the column family before that:
 *
 * <pre>
 * hbase.fastpath.tiering.flush                    what a flush writes
 * hbase.fastpath.tiering.compaction               what any compaction writes
 * hbase.fastpath.tiering.major-compaction         what a major one does; goes before the last
 * hbase.fastpath.tiering.large-compaction         what one of large inputs does; before both
 * hbase.fastpath.tiering.large-compaction-size    bytes of inputs from which they are large
 * hbase.fastpath.tiering.compression.POLICY       how files with that policy are compressed
 * </pre>
 *
 * <p>A file that no rule is about gets no policy of its own: that of its directory holds, which is
 * the family's {@code STORAGE_POLICY}, as without rules. Immutable.
 */
final class TierRules {
  static final String PREFIX = "hbase.fastpath.tiering.";
  static final String FLUSH = PREFIX + "flush";
  static final String COMPACTION = PREFIX + "compaction";
  static final String MAJOR = PREFIX + "major-compaction";
  static final String LARGE = PREFIX + "large-compaction";
  static final String LARGE_SIZE = PREFIX + "large-compaction-size";
  static final String COMPRESSION = PREFIX + "compression.";

  /** The story's limit between what stays on SSD and what goes to HDD. */
  private static final String DEFAULT_LARGE_SIZE = "1536m";

  private static final long LEAST_LARGE_SIZE = 1 << 20;
  private static final long MOST_LARGE_SIZE = 1L << 50;

  private static final Set<String> POLICY_KEYS = Set.of(FLUSH, COMPACTION, MAJOR, LARGE);

  /** HDFS gives it to new files only, by a flag at their creation. */
  private static final String LAZY_PERSIST = "LAZY_PERSIST";

  private final Map<String, String> policies;
  private final long largeSize;
  private final Map<String, Compression.Algorithm> compressions;

  private TierRules(
      Map<String, String> policies,
      long largeSize,
      Map<String, Compression.Algorithm> compressions) {
    this.policies = Map.copyOf(policies);
    this.largeSize = largeSize;
    this.compressions = Map.copyOf(compressions);
  }

  /** The rules of a store with that configuration, its table's and family's attributes included. */
  static TierRules of(Configuration store) {
    Map<String, String> policies = new HashMap<>();
    for (String key : POLICY_KEYS) {
      String policy = store.getTrimmed(key, "");
      if (!policy.isEmpty()) {
        policies.put(key, policy(key, policy));
      }
    }
    Map<String, Compression.Algorithm> compressions = new HashMap<>();
    for (String policy : new TreeSet<>(policies.values())) {
      String key = COMPRESSION + policy;
      String algorithm = store.getTrimmed(key, "");
      if (!algorithm.isEmpty()) {
        compressions.put(policy, algorithm(key, algorithm));
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
    return new TierRules(policies, largeSize, compressions);
  }

  private static String policy(String key, String value) {
    String policy = value.toUpperCase(Locale.ROOT);
    if (policy.equals(LAZY_PERSIST)) {
      throw new InvalidValueException(
          key, value, "any policy but this, which HDFS does not give to a file that exists");
    }
    return policy;
  }

  private static Compression.Algorithm algorithm(String key, String value) {
    try {
      return Compression.getCompressionAlgorithmByName(value.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      Set<String> known = new LinkedHashSet<>();
      for (Compression.Algorithm algorithm : Compression.Algorithm.values()) {
        known.add(algorithm.getName());
      }
      throw new InvalidValueException(key, value, "one of " + String.join(", ", known));
    }
  }

  /** Refuses a key that looks like one of these and is none. */
  static void requireKnown(String key, String value) {
    if (key.startsWith(PREFIX)
        && !POLICY_KEYS.contains(key)
        && !key.equals(LARGE_SIZE)
        && !key.startsWith(COMPRESSION)) {
      Set<String> known = new TreeSet<>(POLICY_KEYS);
      known.add(LARGE_SIZE);
      throw new InvalidValueException(
          key,
          value,
          "nothing: the keys are " + String.join(", ", known) + " and " + COMPRESSION + "POLICY");
    }
  }

  /** Whether no file has a rule. */
  boolean isEmpty() {
    return policies.isEmpty();
  }

  /** The policies that files can get, by the key that says so. */
  Map<String, String> policies() {
    return policies;
  }

  /**
   * The policy of a file.
   *
   * @param inputBytes what a compaction reads, -1 if that is not known or for a flush
   */
  Optional<String> policy(StoreFileKind kind, long inputBytes) {
    return switch (kind) {
      case FLUSH -> first(FLUSH);
      case MINOR_COMPACTION -> isLarge(inputBytes) ? first(LARGE, COMPACTION) : first(COMPACTION);
      case MAJOR_COMPACTION ->
          isLarge(inputBytes) ? first(LARGE, MAJOR, COMPACTION) : first(MAJOR, COMPACTION);
    };
  }

  private boolean isLarge(long bytes) {
    return bytes >= largeSize;
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

  /** How files with a policy are compressed, if not as the family says. */
  Optional<Compression.Algorithm> compression(String policy) {
    return Optional.ofNullable(compressions.get(policy));
  }
}
