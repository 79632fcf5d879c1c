package org.fastpath.tiered.regionserver;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.fastpath.tiered.InvalidValueException;

/**
 * The column families of an attribute: all of its table, or its own. It rejects attributes without
 * an effect on any of them, because each is a mistake. Keys of {@code hbase-site.xml} are not
 * checked: they also apply to future tables. Not thread-safe.
 */
final class TierScope {
  private record Family(boolean hasMobFiles, TierRules rules, AtRestRules resting) {
    boolean hasRule(String key) {
      return rules.policies().containsKey(key) || resting.policies().containsKey(key);
    }
  }

  private final List<Family> families = new ArrayList<>();

  void add(ColumnFamilyDescriptor family, TierRules rules, AtRestRules resting) {
    families.add(new Family(family.isMobEnabled(), rules, resting));
  }

  /** Rejects an attribute without an effect. An empty one switches off the site's key. */
  void requireMeaning(String key, String value) {
    if (value.isBlank()) {
      return;
    }
    String needed = TierRules.LIMITS.getOrDefault(key, AtRestRules.LIMITS.get(key));
    if (needed != null && none(family -> family.hasRule(needed))) {
      throw new InvalidValueException(key, value, "nothing without " + needed);
    }
    if (key.equals(TierRules.MOB) && none(Family::hasMobFiles)) {
      throw new InvalidValueException(key, value, "nothing without a family that has MOB files");
    }
    TierFormat.policyOf(key).ifPresent(policy -> requireRule(key, value, policy));
  }

  private void requireRule(String key, String value, String policy) {
    if (none(family -> family.rules.formats().containsKey(policy))) {
      Set<String> written = new TreeSet<>();
      families.forEach(family -> written.addAll(family.rules.formats().keySet()));
      throw new InvalidValueException(
          key,
          value,
          "nothing: policies of flushes and compactions are "
              + (written.isEmpty() ? "none" : String.join(", ", written)));
    }
  }

  private boolean none(Predicate<Family> condition) {
    return families.stream().noneMatch(condition);
  }
}
