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
 * The rules of a table about files at rest. Immutable.
 *
 * @param families those of each family, by its name
 * @param mobFamilies those that have MOB files
 * @param former about the archived files of families that the table has no longer
 */
record TableRules(
    Map<String, StoreRules> families, Set<String> mobFamilies, Optional<ArchiveRule> former) {
  /**
   * Reads and checks.
   *
   * @param site with the defaults
   * @throws org.fastpath.tiered.InvalidValueException naming key, value and what is allowed
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

  /** The rule about a family's files in the archive. */
  Optional<ArchiveRule> archive(String family) {
    StoreRules own = families.get(family);
    return own == null ? former : own.archive();
  }

  /** Those of all families that there are. */
  Map<String, ArchiveRule> archive() {
    Map<String, ArchiveRule> rules = new HashMap<>();
    families.forEach((family, own) -> own.archive().ifPresent(rule -> rules.put(family, rule)));
    return rules;
  }

  /** Whether any is about files in the archive. */
  boolean areAboutArchive() {
    return former.isPresent() || !archive().isEmpty();
  }

  /** Whether any is about files in stores. */
  boolean areAboutStores() {
    return families.values().stream().anyMatch(StoreRules::areAboutStores);
  }

  /** Whether it matters how often regions are read. */
  boolean dependOnReads() {
    return families.values().stream().anyMatch(StoreRules::dependOnReads);
  }
}
