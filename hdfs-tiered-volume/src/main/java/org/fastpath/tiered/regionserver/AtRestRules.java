package org.fastpath.tiered.regionserver;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.Values;

/**
 * The rules for the storage policy of files that are no longer written. They are keys of {@code
 * hbase-site.xml}. An attribute of the table overrides a key, and one of the column family
 * overrides both, as with {@link TierRules}:
 *
 * <pre>
 * hbase.fastpath.tiering.archive        files in HBase's archive
 * hbase.fastpath.tiering.archive-age    minimum time in the archive
 * hbase.fastpath.tiering.cold           store files without recent writes
 * hbase.fastpath.tiering.cold-age       minimum age of the newest cell
 * hbase.fastpath.tiering.hot            store files of regions that are read often
 * hbase.fastpath.tiering.hot-reads      minimum requests a second
 * </pre>
 *
 * <p>{@code hot} overrides {@code cold}, because frequent reads justify the place at any age. Both
 * override the policy at writing. Neither applies to files in the archive.
 *
 * <p>Immutable.
 */
final class AtRestRules {
  static final String ARCHIVE = TierRules.PREFIX + "archive";
  static final String ARCHIVE_AGE = TierRules.PREFIX + "archive-age";
  static final String COLD = TierRules.PREFIX + "cold";
  static final String COLD_AGE = TierRules.PREFIX + "cold-age";
  static final String HOT = TierRules.PREFIX + "hot";
  static final String HOT_READS = TierRules.PREFIX + "hot-reads";

  /** The keys that may be attributes of a table. */
  static final Set<String> KEYS = Set.of(ARCHIVE, ARCHIVE_AGE, COLD, COLD_AGE, HOT, HOT_READS);

  /** Keys that need another key, which is the value. */
  static final Map<String, String> LIMITS =
      Map.of(ARCHIVE_AGE, ARCHIVE, COLD_AGE, COLD, HOT_READS, HOT);

  private static final Set<String> POLICY_KEYS = Set.of(ARCHIVE, COLD, HOT);

  /** Twice the time for which HBase keeps archived files that no snapshot or backup needs. */
  private static final String DEFAULT_ARCHIVE_AGE = "10m";

  private static final String DEFAULT_COLD_AGE = "30d";
  private static final String DEFAULT_HOT_READS = "100";
  private static final long MAX_READS = 1_000_000_000;
  private static final long CENTURY_MILLIS = TimeUnit.DAYS.toMillis(36_525);

  private final Map<String, String> policies;
  private final long archiveAgeMillis;
  private final long coldAgeMillis;
  private final long hotReads;

  private AtRestRules(
      Map<String, String> policies, long archiveAgeMillis, long coldAgeMillis, long hotReads) {
    this.policies = Map.copyOf(policies);
    this.archiveAgeMillis = archiveAgeMillis;
    this.coldAgeMillis = coldAgeMillis;
    this.hotReads = hotReads;
  }

  /**
   * Reads the rules of a store from its configuration, which includes its table's and family's
   * attributes.
   *
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  static AtRestRules of(Configuration store) {
    Map<String, String> policies = new HashMap<>();
    for (String key : POLICY_KEYS) {
      String value = store.getTrimmed(key, "");
      if (!value.isEmpty()) {
        policies.put(key, TierRules.policy(key, value));
      }
    }
    String hot = policies.get(HOT);
    if (hot != null && hot.equals(policies.get(COLD))) {
      throw new InvalidValueException(HOT, hot, "a policy that " + COLD + " is not, too");
    }
    return new AtRestRules(
        policies,
        Values.millis(store, ARCHIVE_AGE, DEFAULT_ARCHIVE_AGE, 0, CENTURY_MILLIS),
        Values.millis(store, COLD_AGE, DEFAULT_COLD_AGE, 1_000, CENTURY_MILLIS),
        Values.whole(
            store, HOT_READS, DEFAULT_HOT_READS, 1, MAX_READS, "requests a second of a region"));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AtRestRules rules
        && policies.equals(rules.policies)
        && archiveAgeMillis == rules.archiveAgeMillis
        && coldAgeMillis == rules.coldAgeMillis
        && hotReads == rules.hotReads;
  }

  @Override
  public int hashCode() {
    return Objects.hash(policies, archiveAgeMillis, coldAgeMillis, hotReads);
  }

  /** Returns the policies that files can get, by key. */
  Map<String, String> policies() {
    return policies;
  }

  /** Returns the rule about files in the archive. */
  Optional<ArchiveRule> archive() {
    return Optional.ofNullable(policies.get(ARCHIVE))
        .map(policy -> new ArchiveRule(policy, archiveAgeMillis));
  }

  Optional<String> cold() {
    return Optional.ofNullable(policies.get(COLD));
  }

  Optional<String> hot() {
    return Optional.ofNullable(policies.get(HOT));
  }

  long coldAgeMillis() {
    return coldAgeMillis;
  }

  /** Returns the requests a second from which a region's files are hot. */
  long hotReads() {
    return hotReads;
  }
}
