package org.fastpath.tools.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Runs all checks. */
final class Doctor {
  private static final List<Check> CHECKS =
      Stream.of(
              KeyChecks.all(),
              ClassPathChecks.all(),
              CacheChecks.all(),
              RegionChecks.all(),
              ZeroCopyChecks.all(),
              TierChecks.all(),
              VolumeChecks.all(),
              FeatureChecks.all(),
              MemoryChecks.all())
          .flatMap(List::stream)
          .toList();

  private Doctor() {}

  /** Returns the problems, the worst first. */
  static List<Problem> examine(Evidence evidence) {
    List<Problem> problems = new ArrayList<>(evidence.unseen());
    CHECKS.forEach(check -> check.check(evidence, problems::add));
    problems.sort(Comparator.comparing(Problem::severity).reversed());
    return problems.stream().distinct().toList();
  }
}
