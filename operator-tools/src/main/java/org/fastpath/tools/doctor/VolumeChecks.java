package org.fastpath.tools.doctor;

import java.util.List;
import java.util.function.Consumer;
import org.fastpath.tools.conf.SiteProperty;

/** Checks of the choice of volumes and of the DataNode's dataset. */
final class VolumeChecks {
  private static final String EXCLUDED = "dfs.datanode.max.slowdisks.to.exclude";
  private static final String WRITE_BEHIND = "dfs.fastpath.write-behind.types";
  private static final String DROP_BEHIND = "dfs.fastpath.drop-behind.types";
  private static final String SYNC = "dfs.datanode.sync.behind.writes";

  private VolumeChecks() {}

  static List<Check> all() {
    return List.of(
        Check.hadoop(VolumeChecks::excludedDisks),
        Check.hadoop(VolumeChecks::oneVolume),
        Check.hadoop(VolumeChecks::factory),
        Check.hadoop(VolumeChecks::behind));
  }

  private static void excludedDisks(ConfDirectory directory, Consumer<Problem> problems) {
    if (Switch.LATENCY_VOLUMES.asked(directory)
        && directory.has(EXCLUDED)
        && !directory.is(EXCLUDED, "0")) {
      SiteProperty property = directory.site().property(EXCLUDED).orElseThrow();
      problems.accept(
          new Problem(
              Kind.SLOW_DISKS_EXCLUDED,
              property.place(),
              "HDFS hides slow disks from the latency-aware policy, which excludes them itself.",
              RemedyLine.replace(property, EXCLUDED, "0")));
    }
  }

  private static void oneVolume(ConfDirectory directory, Consumer<Problem> problems) {
    boolean single =
        directory.has(Volumes.KEY)
            && Volumes.types(directory).values().stream().allMatch(count -> count == 1);
    if (Switch.LATENCY_VOLUMES.asked(directory) && single) {
      problems.accept(
          new Problem(
              Kind.ONE_VOLUME,
              directory.place(Switch.LATENCY_VOLUMES.key()),
              "No storage type has two volumes, so that there is nothing to choose.",
              RemedyLine.remove(
                  directory.site().property(Switch.LATENCY_VOLUMES.key()).orElseThrow())));
    }
  }

  private static void factory(ConfDirectory directory, Consumer<Problem> problems) {
    for (String key : List.of(WRITE_BEHIND, DROP_BEHIND)) {
      if (directory.has(key) && !Switch.TIERED_DATASET.asked(directory)) {
        problems.accept(
            new Problem(
                Kind.BEHIND_TYPES_WITHOUT_FACTORY,
                directory.place(key),
                key + " does nothing without our dataset.",
                RemedyLine.add(
                    directory,
                    Switch.TIERED_DATASET.key(),
                    Switch.TIERED_DATASET.value().orElseThrow())));
      }
    }
  }

  /**
   * Checks write-behind and drop-behind. The types limit effects that other keys, or clients,
   * switch on.
   */
  private static void behind(ConfDirectory directory, Consumer<Problem> problems) {
    if (directory.has(WRITE_BEHIND) && !directory.is(SYNC, "true")) {
      problems.accept(
          new Problem(
              Kind.BEHIND_TYPES_WITHOUT_SWITCH,
              directory.place(WRITE_BEHIND),
              WRITE_BEHIND + " does nothing while " + SYNC + " is off.",
              RemedyLine.set(directory.siteFile(), SYNC, "true")));
    }
  }
}
