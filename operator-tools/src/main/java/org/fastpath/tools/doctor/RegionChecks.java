package org.fastpath.tools.doctor;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.fastpath.tools.conf.SiteProperty;

/** Checks of the off-heap reader, of lean scans and of metrics of regions. */
final class RegionChecks {
  private static final String PACKAGE = "org.apache.hadoop.hbase.regionserver.";
  private static final String ENGINE = Switch.READER_ENGINE.key();
  private static final String REGION = Switch.LEAN_SCANS.key();
  private static final String MAPPED_ENABLED = "hbase.fastpath.zcr-blocks.enabled";
  private static final String OBSERVERS = Switch.REGION_METRICS_OBSERVER.key();
  private static final String METERED = Switch.REGION_METRICS.value().orElseThrow();
  private static final String LEAN = Switch.LEAN_SCANS.value().orElseThrow();
  private static final String LEAN_METERED = Switch.LEAN_METERED_SCANS.value().orElseThrow();
  private static final Map<String, Switch> ENGINES =
      Map.of(
          PACKAGE + "DefaultStoreEngine", Switch.READER_ENGINE,
          PACKAGE + "StripeStoreEngine", Switch.STRIPE_ENGINE,
          PACKAGE + "DateTieredStoreEngine", Switch.DATE_TIERED_ENGINE);
  private static final Set<String> KNOWN_REGIONS =
      Set.of(METERED, LEAN, LEAN_METERED, PACKAGE + "HRegion");

  private RegionChecks() {}

  static List<Check> all() {
    return List.of(
        Check.hbase(RegionChecks::engine),
        Check.hbase(RegionChecks::mappedBlocks),
        Check.hbase(RegionChecks::regionClass),
        Check.hbase(RegionChecks::metricsTwice));
  }

  private static boolean engineOfOurs(ConfDirectory directory) {
    return ENGINES.values().stream().anyMatch(engine -> engine.asked(directory));
  }

  private static boolean reads(ConfDirectory directory) {
    return Switch.READER.asked(directory)
        || engineOfOurs(directory) && !directory.is(Switch.READER.key(), "false");
  }

  private static void engine(ConfDirectory directory, Consumer<Problem> problems) {
    if (!Switch.READER.asked(directory) || engineOfOurs(directory)) {
      return;
    }
    String engine = directory.site().value(ENGINE, "");
    if (ENGINES.containsKey(engine)) {
      problems.accept(
          new Problem(
              Kind.FOREIGN_STORE_ENGINE,
              directory.place(ENGINE),
              "With " + engine + " HBase's reader reads all files.",
              RemedyLine.set(
                  directory.siteFile(), ENGINE, ENGINES.get(engine).value().orElseThrow())));
    } else if (engine.isEmpty() && !Switch.CACHE.asked(directory)) {
      problems.accept(
          new Problem(
              Kind.READER_WITHOUT_ENGINE,
              directory.place(Switch.READER.key()),
              "The off-heap reader does nothing: neither the off-heap cache nor a store engine"
                  + " attaches it.",
              RemedyLine.set(
                  directory.siteFile(), ENGINE, Switch.READER_ENGINE.value().orElseThrow())));
    }
  }

  private static void mappedBlocks(ConfDirectory directory, Consumer<Problem> problems) {
    if (!Switch.MAPPED_BLOCKS.named(directory)
        || directory.is(MAPPED_ENABLED, "false")
        || reads(directory)) {
      return;
    }
    problems.accept(
        new Problem(
            Kind.MAPPED_BLOCKS_WITHOUT_READER,
            directory.place(Switch.MAPPED_BLOCKS.key()),
            "Mapped blocks do nothing without the off-heap reader, which reads them.",
            directory
                .site()
                .property(Switch.READER.key())
                .map(property -> RemedyLine.replace(property, Switch.READER.key(), "true"))
                .orElse(RemedyLine.set(directory.siteFile(), Switch.READER.key(), "true"))));
  }

  private static void regionClass(ConfDirectory directory, Consumer<Problem> problems) {
    String region = directory.site().value(REGION, "");
    if (!reads(directory) || region.isEmpty()) {
      return;
    }
    if (region.equals(METERED) && !Switch.CACHE.asked(directory)) {
      problems.accept(withoutLeanScans(directory, region, LEAN_METERED));
    } else if (!KNOWN_REGIONS.contains(region)) {
      problems.accept(withoutLeanScans(directory, region, LEAN));
    }
  }

  private static Problem withoutLeanScans(ConfDirectory directory, String region, String better) {
    SiteProperty property = directory.site().property(REGION).orElseThrow();
    return new Problem(
        Kind.FOREIGN_REGION_CLASS,
        property.place(),
        "Scans are not lean: the regions are of the class " + region + ".",
        RemedyLine.replace(property, REGION, better));
  }

  private static void metricsTwice(ConfDirectory directory, Consumer<Problem> problems) {
    boolean byClass = directory.is(REGION, METERED) || directory.is(REGION, LEAN_METERED);
    if (byClass && Switch.REGION_METRICS_OBSERVER.asked(directory)) {
      problems.accept(
          new Problem(
              Kind.REGION_METRICS_TWICE,
              directory.place(OBSERVERS),
              "Two classes measure regions; the coprocessor does nothing and costs 2 % of CPU.",
              RemedyLine.without(
                  directory, OBSERVERS, Switch.REGION_METRICS_OBSERVER.value().get())));
    }
  }
}
