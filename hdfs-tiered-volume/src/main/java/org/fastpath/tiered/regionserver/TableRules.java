package org.fastpath.tiered.regionserver;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.StoreUtils;

/**
 * The rules of a table for complete files. Immutable.
 *
 * @param families rules by the name of the family
 * @param mobFamilies families with MOB files
 * @param former rule for the archived files of families that the table no longer has
 */
record TableRules(
    Map<String, StoreRules> families, Set<String> mobFamilies, Optional<ArchiveRule> former) {
  /**
   * Reads and checks the rules.
   *
   * @param site with the defaults
   * @throws org.fastpath.tiered.InvalidValueException naming the key, the value and the allowed
   *     values
   */
  static TableRules of(Configuration site, TableDescriptor table) {
    Map<String, StoreRules> families = new HashMap<>();
    Set<String> mobFamilies = new HashSet<>();
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      families.put(
          family.getNameAsString(),
          StoreRules.of(StoreUtils.createStoreConfiguration(site, table, family)));
      if (family.isMobEnabled()) {
        mobFamilies.add(family.getNameAsString());
      }
    }
    Configuration all = new CompoundConfiguration().add(site).addBytesMap(table.getValues());
    return new TableRules(
        Map.copyOf(families), Set.copyOf(mobFamilies), AtRestRules.of(all).archive());
  }

  /** Returns the rule for a family's files in the archive. */
  Optional<ArchiveRule> archive(String family) {
    StoreRules own = families.get(family);
    return own == null ? former : own.archive();
  }

  /** Returns the archive rules of all current families. */
  Map<String, ArchiveRule> archive() {
    Map<String, ArchiveRule> rules = new HashMap<>();
    families.forEach((family, own) -> own.archive().ifPresent(rule -> rules.put(family, rule)));
    return rules;
  }

  /** Returns whether any rule is about files in the archive. */
  boolean areAboutArchive() {
    return former.isPresent() || !archive().isEmpty();
  }

  /** Returns whether any rule is about files in stores. */
  boolean areAboutStores() {
    return families.values().stream().anyMatch(StoreRules::areAboutStores);
  }

  /** Returns whether the rules depend on the read rate of regions. */
  boolean dependOnReads() {
    return families.values().stream().anyMatch(StoreRules::dependOnReads);
  }
}
