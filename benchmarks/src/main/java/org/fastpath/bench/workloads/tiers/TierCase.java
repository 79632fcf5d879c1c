package org.fastpath.bench.workloads.tiers;

import static org.fastpath.bench.workloads.tiers.Tier.HDD;
import static org.fastpath.bench.workloads.tiers.Tier.RAM;
import static org.fastpath.bench.workloads.tiers.Tier.SSD;
import static org.fastpath.bench.workloads.tiers.TierDataset.GB_50;
import static org.fastpath.bench.workloads.tiers.TierDataset.TB_1;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The eleven cases of the story: the placement (its Table 1), and the results in its text. Figures
 * 2, 3, 6, 7, 12 and 13 are pictures that were not available. Rates are from the formulas of part
 * 5; others are computed from the ratios beside them.
 */
enum TierCase {
  G50_RAM("50G_RAM", GB_50, RAM, RAM, RAM, RAM, 406_577),
  G50_SSD("50G_SSD", GB_50, SSD, SSD, SSD, SSD, 320_616),
  G50_HDD("50G_HDD", GB_50, HDD, HDD, HDD, HDD, 250_034),
  T1_SSD("1T_SSD", TB_1, SSD, SSD, SSD, SSD, TierScale.STORY_RATE),
  T1_HDD("1T_HDD", TB_1, HDD, HDD, HDD, HDD, 242_801),
  /** 109 % of 1T_SSD. */
  T1_RAM_SSD("1T_RAM_SSD", TB_1, RAM, SSD, SSD, SSD, 1.09 * TierScale.STORY_RATE),
  /** 11 % less than 1T_HDD. */
  T1_RAM_HDD("1T_RAM_HDD", TB_1, RAM, HDD, HDD, HDD, 0.89 * 242_801),
  /** 102 % of 1T_SSD. */
  T1_SSD_HDD("1T_SSD_HDD", TB_1, SSD, SSD, SSD, HDD, 1.02 * TierScale.STORY_RATE),
  T1_SSD_ALL_HDD("1T_SSD_All_HDD", TB_1, SSD, SSD, HDD, HDD, Double.NaN),
  T1_RAM_SSD_HDD("1T_RAM_SSD_HDD", TB_1, RAM, SSD, SSD, HDD, Double.NaN),
  T1_RAM_SSD_ALL_HDD("1T_RAM_SSD_All_HDD", TB_1, RAM, SSD, HDD, HDD, Double.NaN);

  private static final int DISKS = 8;

  private final String label;
  private final TierDataset dataset;
  private final Tier wal;
  private final Tier flushed;
  private final Tier compacted;
  private final Tier large;
  private final double storyRate;

  TierCase(
      String label,
      TierDataset dataset,
      Tier wal,
      Tier flushed,
      Tier compacted,
      Tier large,
      double storyRate) {
    this.label = label;
    this.dataset = dataset;
    this.wal = wal;
    this.flushed = flushed;
    this.compacted = compacted;
    this.large = large;
    this.storyRate = storyRate;
  }

  /** Returns the story's name. */
  String label() {
    return label;
  }

  TierDataset dataset() {
    return dataset;
  }

  /** Returns the tier of logs. */
  Tier wal() {
    return wal;
  }

  /** Returns the tier of flushes. */
  Tier flushed() {
    return flushed;
  }

  /** Returns the tier of compactions whose inputs are below the limit. */
  Tier compacted() {
    return compacted;
  }

  /** Returns the tier of other compactions. */
  Tier large() {
    return large;
  }

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
    List<Tier> volumes = new ArrayList<>();
    if (tiers().contains(RAM)) {
      volumes.add(RAM);
    }
    boolean ssd = tiers().contains(SSD);
    boolean hdd = tiers().contains(HDD);
    int perType = ssd && hdd ? DISKS / 2 : DISKS;
    volumes.addAll(Collections.nCopies(ssd ? perType : 0, SSD));
    volumes.addAll(Collections.nCopies(hdd ? perType : 0, HDD));
    return volumes;
  }

  /** Returns the cases with which the story compares this one in its conclusions. */
  List<TierCase> comparedWith() {
    return switch (this) {
      case G50_RAM, G50_SSD -> List.of(G50_HDD);
      case T1_SSD, T1_RAM_HDD -> List.of(T1_HDD);
      case T1_RAM_SSD -> List.of(T1_SSD);
      case T1_SSD_HDD -> List.of(T1_HDD, T1_SSD);
      case T1_RAM_SSD_HDD -> List.of(T1_SSD_HDD);
      case T1_RAM_SSD_ALL_HDD -> List.of(T1_SSD_ALL_HDD);
      default -> List.of();
    };
  }

  /** Returns inserts per second of all clients; empty if the text has neither them nor a ratio. */
  OptionalDouble storyRate() {
    return Double.isNaN(storyRate) ? OptionalDouble.empty() : OptionalDouble.of(storyRate);
  }
}
