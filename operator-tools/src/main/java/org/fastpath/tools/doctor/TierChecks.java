package org.fastpath.tools.doctor;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.fastpath.tools.conf.SiteProperty;

/** Checks of rules for tiers, of their guard, and of storage policies. */
final class TierChecks {
  private static final String RULES = "hbase.fastpath.tiering.";
  private static final List<String> RULE_NAMES =
      List.of(
          "flush",
          "compaction",
          "major-compaction",
          "large-compaction",
          "old-compaction",
          "mob",
          "bulk-load",
          "archive",
          "cold",
          "hot");
  private static final String WAL = "hbase.wal.storage.policy";
  private static final String POLICIES = "dfs.fastpath.storage-policies";
  private static final String POLICY = "dfs.fastpath.storage-policy.";
  private static final String DEFAULT_POLICY = "dfs.storage.default.policy";
  private static final String THROTTLE = "hbase.fastpath.tier-guard.throttle";
  private static final String QUOTA = "hbase.quota.enabled";
  private static final String VOLUMES = Volumes.KEY;
  private static final List<String> FREE_IDS = List.of("3", "4", "6", "8", "9", "11", "13");

  /** Stock policies that a rule may name, with the storage type that each needs. */
  private static final Map<String, String> STOCK =
      Map.of(
          "HOT", "DISK",
          "WARM", "ARCHIVE",
          "COLD", "ARCHIVE",
          "ONE_SSD", "SSD",
          "ALL_SSD", "SSD",
          "ALL_NVDIMM", "NVDIMM",
          "PROVIDED", "PROVIDED");

  private TierChecks() {}

  static List<Check> all() {
    return List.of(
        TierChecks::policyNames,
        TierChecks::volumes,
        Check.hbase(TierChecks::throttle),
        Check.hadoop(TierChecks::incomplete),
        Check.hadoop(TierChecks::notListed),
        Check.hadoop(TierChecks::ids),
        Check.hadoop(TierChecks::defaultPolicy));
  }

  /** Returns the rules of a directory, and the policy of the log. */
  private static List<SiteProperty> rules(ConfDirectory directory) {
    return directory.site().effective().stream()
        .filter(
            property ->
                property.name().equals(WAL)
                    || property.name().startsWith(RULES)
                        && RULE_NAMES.contains(property.name().substring(RULES.length())))
        .toList();
  }

  private static Set<String> known(Evidence evidence) {
    Set<String> known = new TreeSet<>(STOCK.keySet());
    evidence.hadoop().forEach(directory -> known.addAll(directory.site().list(POLICIES)));
    return known;
  }

  private static void policyNames(Evidence evidence, Consumer<Problem> problems) {
    Set<String> known = known(evidence);
    for (ConfDirectory directory : evidence.hbase()) {
      for (SiteProperty rule : rules(directory)) {
        String policy = directory.site().value(rule.name(), "");
        boolean none = rule.name().equals(WAL) && (policy.equals("NONE") || isLazy(policy));
        Optional<String> meant = Spelling.nearest(policy, known);
        boolean tellable = !evidence.hadoop().isEmpty() || meant.isPresent() || isLazy(policy);
        if (!none && !known.contains(policy) && tellable) {
          problems.accept(unknown(rule, policy, meant.orElse("HOT")));
        }
      }
    }
  }

  private static boolean isLazy(String policy) {
    return policy.equals("LAZY_PERSIST");
  }

  private static Problem unknown(SiteProperty rule, String policy, String meant) {
    String text =
        isLazy(policy)
            ? "HDFS gives LAZY_PERSIST to no file that exists."
            : "There is no storage policy " + policy + "; " + meant + " is the nearest.";
    return new Problem(
        Kind.UNKNOWN_STORAGE_POLICY,
        rule.place(),
        text,
        RemedyLine.replace(rule, rule.name(), isLazy(policy) ? "ALL_SSD" : meant));
  }

  /** Finds rules for a storage type without a volume. */
  private static void volumes(Evidence evidence, Consumer<Problem> problems) {
    List<ConfDirectory> dataNodes =
        evidence.hadoop().stream().filter(directory -> directory.has(VOLUMES)).toList();
    if (dataNodes.isEmpty()) {
      return;
    }
    Set<String> types = new LinkedHashSet<>();
    dataNodes.forEach(directory -> types.addAll(Volumes.types(directory).keySet()));
    for (ConfDirectory directory : evidence.hbase()) {
      for (SiteProperty rule : rules(directory)) {
        String type = STOCK.get(rule.value());
        if (type != null && !types.contains(type)) {
          problems.accept(withoutVolume(rule, type, dataNodes.get(0)));
        }
      }
    }
  }

  private static Problem withoutVolume(SiteProperty rule, String type, ConfDirectory dataNode) {
    String volumes = dataNode.site().property(VOLUMES).orElseThrow().value();
    return new Problem(
        Kind.TIER_WITHOUT_VOLUME,
        rule.place(),
        rule.value() + " needs volumes of the type " + type + ", and " + VOLUMES + " has none.",
        RemedyLine.set(
            RemedyLine.HDFS_SITE,
            VOLUMES,
            "[" + type + "]/" + type.toLowerCase(Locale.ROOT) + "/0," + volumes));
  }

  private static void throttle(ConfDirectory directory, Consumer<Problem> problems) {
    if (directory.is(THROTTLE, "true") && !directory.is(QUOTA, "true")) {
      problems.accept(
          new Problem(
              Kind.THROTTLE_WITHOUT_QUOTA,
              directory.place(THROTTLE),
              "The guard throttles by HBase's quotas, and these are off.",
              RemedyLine.set(directory.siteFile(), QUOTA, "true")));
    }
  }

  private static void incomplete(ConfDirectory directory, Consumer<Problem> problems) {
    for (String name : directory.site().list(POLICIES)) {
      Map<String, String> missing = new LinkedHashMap<>();
      missing.put(POLICY + name + ".id", freeId(directory));
      missing.put(POLICY + name + ".storage-types", "SSD,DISK");
      missing.forEach(
          (key, value) -> {
            if (!directory.has(key)) {
              problems.accept(
                  new Problem(
                      Kind.STORAGE_POLICY_INCOMPLETE,
                      directory.place(POLICIES),
                      "The storage policy "
                          + name
                          + " has no "
                          + key
                          + "; the NameNode does not start.",
                      RemedyLine.set(directory.siteFile(), key, value)));
            }
          });
    }
  }

  private static String freeId(ConfDirectory directory) {
    Set<String> taken = new LinkedHashSet<>();
    directory
        .site()
        .list(POLICIES)
        .forEach(name -> directory.site().value(POLICY + name + ".id").ifPresent(taken::add));
    return FREE_IDS.stream().filter(id -> !taken.contains(id)).findFirst().orElse("3");
  }

  private static void notListed(ConfDirectory directory, Consumer<Problem> problems) {
    List<String> listed = directory.site().list(POLICIES);
    for (SiteProperty property : directory.site().effective()) {
      if (property.name().startsWith(POLICY) && property.name().endsWith(".id")) {
        String name = property.name().substring(POLICY.length(), property.name().lastIndexOf('.'));
        if (!listed.contains(name)) {
          problems.accept(
              new Problem(
                  Kind.STORAGE_POLICY_NOT_LISTED,
                  property.place(),
                  "The storage policy " + name + " is defined and not in " + POLICIES + ".",
                  RemedyLine.set(directory.siteFile(), POLICIES, with(listed, name))));
        }
      }
    }
  }

  private static String with(List<String> listed, String name) {
    return listed.isEmpty() ? name : String.join(",", listed) + "," + name;
  }

  private static void ids(ConfDirectory directory, Consumer<Problem> problems) {
    Set<String> seen = new LinkedHashSet<>();
    for (String name : directory.site().list(POLICIES)) {
      String key = POLICY + name + ".id";
      String id = directory.site().value(key, "");
      if (!id.isEmpty() && (!FREE_IDS.contains(id) || !seen.add(id))) {
        problems.accept(
            new Problem(
                Kind.STORAGE_POLICY_ID_TAKEN,
                directory.place(key),
                "HDFS or another policy has the id "
                    + id
                    + "; the NameNode does not start. An id"
                    + " that files have must not change.",
                RemedyLine.replace(
                    directory.site().property(key).orElseThrow(), key, freeId(directory))));
      }
    }
  }

  private static void defaultPolicy(ConfDirectory directory, Consumer<Problem> problems) {
    String policy = directory.site().value(DEFAULT_POLICY, "");
    if (directory.site().list(POLICIES).contains(policy)) {
      problems.accept(
          new Problem(
              Kind.OWN_DEFAULT_POLICY,
              directory.place(DEFAULT_POLICY),
              DEFAULT_POLICY + " can name stock policies only; set " + policy + " on / instead.",
              "hdfs storagepolicies -setStoragePolicy -path / -policy " + policy));
    }
  }
}
