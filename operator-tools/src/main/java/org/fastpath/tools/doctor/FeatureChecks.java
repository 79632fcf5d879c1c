package org.fastpath.tools.doctor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.fastpath.tools.conf.Role;

/** Checks the daemons' reports about our features. */
final class FeatureChecks {
  private FeatureChecks() {}

  static List<Check> all() {
    return List.of(
        FeatureChecks::failures,
        FeatureChecks::states,
        FeatureChecks::missing,
        FeatureChecks::versions,
        FeatureChecks::someNodes);
  }

  private static void failures(Evidence evidence, Consumer<Problem> problems) {
    for (DaemonReport daemon : evidence.daemons()) {
      daemon
          .failure()
          .ifPresent(
              failure ->
                  problems.accept(
                      new Problem(
                          failure.kind(), daemon.label(), failure.text(), failure.remedy())));
    }
  }

  /** Finds features that do not work. Daemons with the same reason are one problem. */
  private static void states(Evidence evidence, Consumer<Problem> problems) {
    Map<FeatureReport, List<DaemonReport>> bad = new LinkedHashMap<>();
    for (DaemonReport daemon : evidence.daemons()) {
      for (FeatureReport feature : daemon.features()) {
        if (feature.state().equals(FeatureReport.FALLEN_BACK)
            || feature.state().equals(FeatureReport.MISCONFIGURED)) {
          bad.computeIfAbsent(feature, f -> new ArrayList<>()).add(daemon);
        }
      }
    }
    bad.forEach((feature, daemons) -> problems.accept(state(evidence, feature, daemons)));
  }

  private static Problem state(
      Evidence evidence, FeatureReport feature, List<DaemonReport> daemons) {
    boolean fallenBack = feature.state().equals(FeatureReport.FALLEN_BACK);
    return new Problem(
        fallenBack ? Kind.FALLEN_BACK : Kind.MISCONFIGURED,
        labels(daemons),
        feature.feature()
            + (fallenBack ? " has fallen back to stock behaviour: " : " is misconfigured: ")
            + feature.reason(),
        Remedy.of(feature, daemons.get(0), evidence.vocabulary().own()));
  }

  /** Returns the first daemon and the number of others. */
  private static String labels(List<DaemonReport> daemons) {
    String first = daemons.get(0).label();
    return daemons.size() == 1 ? first : first + " and " + (daemons.size() - 1) + " more";
  }

  /** Finds features that a directory configures and a running daemon does not have. */
  private static void missing(Evidence evidence, Consumer<Problem> problems) {
    for (DaemonReport daemon : evidence.daemons()) {
      if (daemon.failure().isEmpty() && daemon.role().isPresent()) {
        asked(evidence, daemon.role().get()).stream()
            .filter(feature -> off(daemon, feature))
            .map(feature -> missing(evidence, daemon, feature))
            .filter(once())
            .forEach(problems);
      }
    }
  }

  /**
   * Makes the problem. If a daemon's reason names a key with its current value, it has been
   * restarted.
   */
  private static Problem missing(Evidence evidence, DaemonReport daemon, Switch feature) {
    Optional<FeatureReport> report = daemon.feature(feature.feature().orElseThrow());
    return report
        .filter(r -> !r.reason().isEmpty() && Remedy.upToDate(r.reason(), evidence.directories()))
        .map(r -> standsAside(evidence, daemon, r))
        .orElseGet(() -> notRestarted(daemon, feature));
  }

  private static Problem standsAside(
      Evidence evidence, DaemonReport daemon, FeatureReport feature) {
    return new Problem(
        Kind.STANDS_ASIDE,
        daemon.label(),
        "The configuration asks for " + feature.feature() + ", and it is off: " + feature.reason(),
        Remedy.of(feature, daemon, evidence.vocabulary().own()));
  }

  private static List<Switch> asked(Evidence evidence, Role role) {
    return Arrays.stream(Switch.values())
        .filter(feature -> feature.role() == role && feature.feature().isPresent())
        .filter(
            feature ->
                evidence.directories().stream()
                    .anyMatch(d -> feature.concerns(d) && feature.asked(d)))
        .toList();
  }

  /**
   * Returns whether a feature is off. A daemon without our code publishes nothing; one feature may
   * start later.
   */
  private static boolean off(DaemonReport daemon, Switch feature) {
    return daemon.features().isEmpty()
        || daemon
            .feature(feature.feature().orElseThrow())
            .filter(report -> report.state().equals(FeatureReport.OFF))
            .isPresent();
  }

  private static Problem notRestarted(DaemonReport daemon, Switch feature) {
    return new Problem(
        Kind.NOT_RESTARTED,
        daemon.label(),
        daemon.features().isEmpty()
            ? "The configuration asks for our features, and the daemon has none: it has not been"
                + " restarted, or reads other files."
            : "The configuration asks for "
                + feature.feature().orElseThrow()
                + ", and the daemon runs without: it has not been restarted, or reads other files.",
        Remedy.restart(daemon.role().orElseThrow(), daemon.host()));
  }

  private static void versions(Evidence evidence, Consumer<Problem> problems) {
    Map<String, Map<String, List<DaemonReport>>> byModule = new TreeMap<>();
    for (DaemonReport daemon : evidence.daemons()) {
      for (FeatureReport feature : daemon.features()) {
        List<DaemonReport> same =
            byModule
                .computeIfAbsent(feature.module(), m -> new TreeMap<>())
                .computeIfAbsent(feature.version(), v -> new ArrayList<>());
        if (!same.contains(daemon)) {
          same.add(daemon);
        }
      }
    }
    byModule.forEach(
        (module, versions) -> {
          if (versions.size() > 1) {
            problems.accept(differ(module, versions));
          }
        });
  }

  private static Problem differ(String module, Map<String, List<DaemonReport>> versions) {
    List<String> oldToNew = versions.keySet().stream().sorted(Versions.ORDER).toList();
    String old = oldToNew.get(0);
    String fresh = oldToNew.get(oldToNew.size() - 1);
    DaemonReport behind = versions.get(old).get(0);
    String jar = Module.jar(module);
    return new Problem(
        Kind.VERSIONS_DIFFER,
        labels(versions.get(old)),
        module
            + " is of version "
            + old
            + " here and of version "
            + fresh
            + " at "
            + labels(versions.get(fresh))
            + ".",
        "scp " + jar + " " + behind.host() + ":" + jar.substring(0, jar.lastIndexOf('/') + 1));
  }

  /** Finds features that are on at some daemons of a kind and off at others. */
  private static void someNodes(Evidence evidence, Consumer<Problem> problems) {
    for (Role role : Role.values()) {
      List<DaemonReport> daemons =
          evidence.daemons().stream().filter(d -> d.is(role) && d.failure().isEmpty()).toList();
      Arrays.stream(Switch.values())
          .filter(feature -> feature.role() == role)
          .filter(feature -> !asked(evidence, role).contains(feature))
          .map(feature -> someNodes(evidence, feature, daemons))
          .flatMap(Optional::stream)
          .filter(once())
          .forEach(problems);
    }
  }

  /**
   * Returns a filter for duplicates. Several switches turn on one feature, which is one problem.
   */
  private static Predicate<Problem> once() {
    Set<String> seen = new HashSet<>();
    return problem -> seen.add(problem.text());
  }

  private static Optional<Problem> someNodes(
      Evidence evidence, Switch feature, List<DaemonReport> daemons) {
    if (feature.feature().isEmpty()) {
      return Optional.empty();
    }
    String name = feature.feature().get();
    List<DaemonReport> on =
        daemons.stream()
            .filter(d -> d.feature(name).filter(FeatureChecks::active).isPresent())
            .toList();
    List<DaemonReport> off = daemons.stream().filter(d -> off(d, feature)).toList();
    if (on.isEmpty() || off.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Problem(
            Kind.ON_SOME_NODES_ONLY,
            labels(off),
            name + " is off here and active at " + labels(on) + ".",
            line(evidence, feature)));
  }

  /** Returns the line that switches a feature on and keeps the other values of its key. */
  private static String line(Evidence evidence, Switch feature) {
    String value = feature.value().orElse("VALUE");
    String file = feature.role().isHBase() ? RemedyLine.HBASE_SITE : RemedyLine.HDFS_SITE;
    return evidence.directories().stream()
        .filter(feature::concerns)
        .findFirst()
        .map(directory -> RemedyLine.add(directory, feature.key(), value))
        .orElseGet(() -> RemedyLine.set(file, feature.key(), value));
  }

  private static boolean active(FeatureReport feature) {
    return Objects.equals(feature.state(), FeatureReport.ACTIVE);
  }
}
