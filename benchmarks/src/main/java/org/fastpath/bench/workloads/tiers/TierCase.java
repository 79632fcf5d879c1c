package org.fastpath.bench.workloads.tiers;

import static org.fastpath.bench.workloads.tiers.Tier.HDD;
import static org.fastpath.bench.workloads.tiers.Tier.RAM;
import static org.fastpath.bench.workloads.tiers.Tier.SSD;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A case of the story: the placement (its Table 1), and the results in its text. Figures 2, 3, 6,
 * 7, 12 and 13 are pictures that were not available.
 *
 * @param label the story's name
 * @param wal the tier of logs
 * @param flushed the tier of flushes
 * @param compacted the tier of compactions whose inputs are below the limit
 * @param large the tier of other compactions
 * @param storyRate inserts per second of all clients, from the formulas of part 5 or from a ratio;
 *     {@link #UNKNOWN} if the text has neither
 * @param comparedWith the cases with which the story compares this one in its conclusions
 */
record TierCase(
    String label,
    Dataset dataset,
    Tier wal,
    Tier flushed,
    Tier compacted,
    Tier large,
    double storyRate,
    List<String> comparedWith) {
  /** The story does not give the number of rows; this is its 50 GB. */
  static final Dataset GB_50 = new Dataset(50_000_000, 18);

  static final Dataset TB_1 = new Dataset(1_000_000_000, 210);
  static final double UNKNOWN = Double.NaN;
  private static final double SSD_RATE = TierScale.STORY_RATE;
  private static final double HDD_RATE = 242_801;
  private static final int DISKS = 8;

  /** The eleven cases. */
  static final List<TierCase> ALL =
      List.of(
          new TierCase("50G_RAM", GB_50, RAM, RAM, RAM, RAM, 406_577, List.of("50G_HDD")),
          new TierCase("50G_SSD", GB_50, SSD, SSD, SSD, SSD, 320_616, List.of("50G_HDD")),
          new TierCase("50G_HDD", GB_50, HDD, HDD, HDD, HDD, 250_034, List.of()),
          new TierCase("1T_SSD", TB_1, SSD, SSD, SSD, SSD, SSD_RATE, List.of("1T_HDD")),
          new TierCase("1T_HDD", TB_1, HDD, HDD, HDD, HDD, HDD_RATE, List.of()),
          new TierCase("1T_RAM_SSD", TB_1, RAM, SSD, SSD, SSD, 1.09 * SSD_RATE, List.of("1T_SSD")),
          new TierCase("1T_RAM_HDD", TB_1, RAM, HDD, HDD, HDD, 0.89 * HDD_RATE, List.of("1T_HDD")),
          new TierCase(
              "1T_SSD_HDD", TB_1, SSD, SSD, SSD, HDD, 1.02 * SSD_RATE, List.of("1T_HDD", "1T_SSD")),
          new TierCase("1T_SSD_All_HDD", TB_1, SSD, SSD, HDD, HDD, UNKNOWN, List.of()),
          new TierCase("1T_RAM_SSD_HDD", TB_1, RAM, SSD, SSD, HDD, UNKNOWN, List.of("1T_SSD_HDD")),
          new TierCase(
              "1T_RAM_SSD_All_HDD", TB_1, RAM, SSD, HDD, HDD, UNKNOWN, List.of("1T_SSD_All_HDD")));

  /**
   * The inserted rows, each of five fields of 200 bytes.
   *
   * @param regions number of regions at the start
   */
  record Dataset(long rows, int regions) {}

  /** Returns the tier of all other files, including archived ones: the slowest one of the case. */
  Tier bottom() {
    return Collections.max(tiers());
  }

  private Set<Tier> tiers() {
    return EnumSet.of(wal, flushed, compacted, large);
  }

  /** Returns whether store files are on several tiers, which a family's policy cannot express. */
  boolean mixesStoreFiles() {
    return EnumSet.of(flushed, compacted, large).size() > 1;
  }

  /** Returns the volumes of a DataNode: one for RAM, and eight slots of disks. */
  List<Tier> volumes() {
    int perType = tiers().containsAll(Set.of(SSD, HDD)) ? DISKS / 2 : DISKS;
    return tiers().stream()
        .flatMap(tier -> Collections.nCopies(tier == RAM ? 1 : perType, tier).stream())
        .toList();
  }
}
