package org.fastpath.zcr.pin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.fastpath.zcr.pin.PinPlan.Action;
import org.fastpath.zcr.pin.PinPlan.Reason;
import org.fastpath.zcr.pin.PinPlan.Step;
import org.fastpath.zcr.pin.PinPlan.Verdict;

/**
 * The coordinator's state: the last report of each RegionServer and the directives of the pool. It
 * decides; {@link PinCoordinator} calls the NameNode.
 *
 * <p><b>One owner.</b> A file counts once for all its readers: regions of a clone, or both
 * daughters of a split. The policy is that of the table in whose directory the file lies. Other
 * readers only add heat.
 *
 * <p><b>Unknown files stay.</b> A pinned file without a reader is unpinned at once if all live
 * servers have reported recently and one has the file's region. If no server has its region, it is
 * unpinned after {@link #UNHOSTED_MILLIS}; a moving region is open again by then. While a live
 * server is silent, such files stay pinned and their bytes count. A server is silent if it is new
 * or has a version that pins by itself.
 *
 * <p>A directive without a file takes no bytes and is always removed.
 *
 * <p>Thread-safe. It waits only for its own lock and calls no server.
 */
final class PinBoard {
  /** The time for which an unread pinned file of a region without a server stays pinned. */
  static final long UNHOSTED_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /** The number of intervals for which a report is kept. */
  private static final int REMEMBERED_INTERVALS = 10;

  /** The number of intervals, plus some seconds, for which a report counts as recent. */
  private static final int FRESH_INTERVALS = 3;

  private static final long FRESH_MILLIS = 10_000;

  private final PinOptions options;
  private final Map<String, Received> reports = new HashMap<>();
  private final Map<String, Directive> directives = new HashMap<>();

  /** Paths of directives by the region of their directory. */
  private final Map<String, Set<String>> pathsByRegion = new HashMap<>();

  private final Map<String, Long> unhosted = new HashMap<>();
  private Map<String, Verdict> verdicts = Map.of();
  private Set<String> kept = Set.of();
  private List<Step> urgent = new ArrayList<>();
  private String blockedReason = "";
  private long limit;
  private long needed;

  private record Received(HeatReport report, long at) {}

  /**
   * The input of a round.
   *
   * @param candidates all relevant files
   * @param pinned bytes of the pinned files that the round may unpin, by path
   */
  private record View(List<Candidate> candidates, Map<String, Long> pinned, PinLimits limits) {}

  /** The changes of a round. */
  record Work(PinPlan plan, int servers, boolean complete) {}

  PinBoard(PinOptions options) {
    this.options = options;
  }

  // Messages of servers.

  /** Takes a report and answers with the decisions of the last round. */
  synchronized PinReply receive(HeatReport report, long now) {
    reports.put(report.server(), new Received(report, now));
    List<PinReply.State> states = new ArrayList<>();
    Set<String> told = new HashSet<>();
    for (FileHeat file : report.files()) {
      states.add(state(file));
      told.add(file.path());
    }
    for (String region : report.regions()) {
      for (String path : pathsByRegion.getOrDefault(region, Set.of())) {
        if (!told.contains(path)) {
          states.add(state(directives.get(path)));
        }
      }
    }
    return new PinReply(blockedReason, limit, needed, states);
  }

  private PinReply.State state(FileHeat file) {
    Verdict verdict = verdicts.get(file.path());
    Directive directive = directives.get(file.path());
    long bytes = file.length() * options.replication();
    return new PinReply.State(
        file.path(),
        directive == null ? bytes : directive.bytes(),
        directive == null ? 0 : directive.cachedBytes(),
        file.heat() / bytes,
        directive != null,
        verdict == null ? Reason.COLD : verdict.reason());
  }

  private PinReply.State state(Directive directive) {
    Verdict verdict = verdicts.get(directive.path());
    return new PinReply.State(
        directive.path(),
        directive.bytes(),
        directive.cachedBytes(),
        verdict == null ? 0 : verdict.worth(),
        true,
        verdict == null ? Reason.KEPT : verdict.reason());
  }

  /**
   * Plans the pin of a compaction's output; {@link #takeUrgent} returns the steps.
   *
   * @return whether it is pinned or will be
   */
  synchronized boolean succeed(OutputPinRequest succession, long now) {
    reports.put(succession.report().server(), new Received(succession.report(), now));
    if (directives.containsKey(succession.output())) {
      return true;
    }
    View view = view(isComplete(Set.of(), now), now);
    List<Step> steps =
        view.candidates.stream()
            .filter(file -> file.path().equals(succession.output()))
            .findAny()
            .map(
                output ->
                    new PinPlanner(view.limits)
                        .succession(output, succession.inputs(), view.candidates, view.pinned))
            .orElse(List.of());
    urgent.addAll(steps);
    return !steps.isEmpty();
  }

  /** Returns the steps for which compactions wait, each once. */
  synchronized List<Step> takeUrgent() {
    List<Step> steps = urgent;
    urgent = new ArrayList<>();
    return steps;
  }

  // Answers of the NameNode.

  /** Takes the directives of the pool. */
  synchronized void listed(Map<String, Directive> pool) {
    directives.clear();
    pathsByRegion.clear();
    pool.values().forEach(this::put);
    unhosted.keySet().retainAll(pool.keySet());
  }

  /** Takes the state of the pool, which is valid until the next call. */
  synchronized void pool(long limitNow, long neededNow) {
    limit = limitNow;
    needed = neededNow;
    blockedReason = "";
  }

  /** Reports that nothing can be pinned. */
  synchronized void blocked(String why) {
    blockedReason = why;
  }

  synchronized void pinned(Directive directive) {
    put(directive);
    needed += directive.bytes();
  }

  private void put(Directive directive) {
    directives.put(directive.path(), directive);
    pathsByRegion
        .computeIfAbsent(HeatTracker.regionOf(directive.path()), region -> new HashSet<>())
        .add(directive.path());
  }

  synchronized void unpinned(String path) {
    Directive directive = directives.remove(path);
    unhosted.remove(path);
    pathsByRegion.computeIfPresent(
        HeatTracker.regionOf(path),
        (region, paths) -> paths.remove(path) && paths.isEmpty() ? null : paths);
    needed -= directive == null ? 0 : directive.bytes();
  }

  /** Reports a new lease of a path. */
  synchronized void renewed(String path, long expires) {
    directives.computeIfPresent(path, (name, directive) -> directive.expiringAt(expires));
  }

  synchronized Directive directive(String path) {
    return directives.get(path);
  }

  synchronized List<Directive> all() {
    return List.copyOf(directives.values());
  }

  /** Returns the directives to renew, by the end of their leases. */
  synchronized List<Directive> kept() {
    return kept.stream()
        .map(directives::get)
        .filter(directive -> directive != null && !directive.expired())
        .sorted(Comparator.comparingLong(Directive::expires).thenComparing(Directive::path))
        .toList();
  }

  // Decisions.

  /**
   * Decides which files to pin and unpin.
   *
   * @param live servers by name; empty if unknown
   * @param changes limit of steps
   */
  synchronized Work plan(Set<String> live, int changes, long now) {
    forget(live, now);
    boolean complete = isComplete(live, now);
    View view = view(complete, now);
    PinLimits limits =
        new PinLimits(view.limits.bytes(), view.limits.reserve(), view.limits.factor(), changes);
    PinPlan plan = new PinPlanner(limits).plan(view.candidates, view.pinned);
    verdicts = plan.verdicts().stream().collect(Collectors.toMap(Verdict::path, v -> v));
    return new Work(plan, reports.size(), complete);
  }

  /** Determines the leases to renew, before a round changes anything. */
  synchronized void updateKept(Set<String> live, long now) {
    forget(live, now);
    view(isComplete(live, now), now);
  }

  private void forget(Set<String> live, long now) {
    long old = now - REMEMBERED_INTERVALS * options.intervalMillis() - FRESH_MILLIS;
    reports.values().removeIf(received -> received.at < old);
    if (!live.isEmpty()) {
      reports.keySet().retainAll(live);
    }
  }

  private boolean isComplete(Set<String> live, long now) {
    long old = now - FRESH_INTERVALS * options.intervalMillis() - FRESH_MILLIS;
    return !live.isEmpty()
        && reports.keySet().containsAll(live)
        && reports.values().stream()
            .allMatch(received -> received.at >= old && received.report.complete());
  }

  private View view(boolean complete, long now) {
    Map<String, FileHeat> files = merged();
    Set<String> open = openDirectives(files.keySet());
    Set<String> hosted = new HashSet<>();
    reports.values().forEach(received -> hosted.addAll(received.report.regions()));
    Map<String, Long> pinned = new HashMap<>();
    Set<String> renewable = new HashSet<>();
    List<Candidate> candidates = new ArrayList<>();
    for (Directive directive : directives.values()) {
      String path = directive.path();
      if (open.contains(path)) {
        unhosted.remove(path);
        renewable.add(path);
        if (!files.containsKey(path)) {
          candidates.add(unmeasured(directive));
        }
      }
      boolean decided =
          open.contains(path)
              || directive.bytes() == 0
              || complete && isGone(directive, hosted, now);
      if (decided && !directive.expired()) {
        pinned.put(path, directive.bytes());
      }
    }
    kept = renewable;
    files.values().forEach(file -> candidates.add(candidate(file)));
    return new View(candidates, pinned, limits(pinned.values(), files.values()));
  }

  /** Merges the reports, so that a file counts once for all its readers. */
  private Map<String, FileHeat> merged() {
    Map<String, FileHeat> files = new HashMap<>();
    for (Received received : reports.values()) {
      for (FileHeat file : received.report.files()) {
        files.merge(file.path(), file, FileHeat::and);
      }
    }
    return files;
  }

  /** Returns the paths of directives whose files some server has open. */
  private Set<String> openDirectives(Set<String> reported) {
    Map<Long, String> byHash = new HashMap<>();
    Set<String> open = new HashSet<>();
    for (String path : directives.keySet()) {
      if (reported.contains(path)) {
        open.add(path);
      } else {
        byHash.put(HeatReport.hash(path), path);
      }
    }
    long[] wanted = byHash.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    if (wanted.length > 0) {
      for (Received received : reports.values()) {
        for (long hash : received.report.open()) {
          if (Arrays.binarySearch(wanted, hash) >= 0) {
            open.add(byHash.get(hash));
          }
        }
      }
    }
    return open;
  }

  /** Returns whether no server reads the file or will read it. Every server has reported. */
  private boolean isGone(Directive directive, Set<String> hosted, long now) {
    if (hosted.contains(HeatTracker.regionOf(directive.path()))) {
      return true;
    }
    return now - unhosted.computeIfAbsent(directive.path(), path -> now) >= UNHOSTED_MILLIS;
  }

  /** Returns an open file without further reports; it stays pinned. */
  private static Candidate unmeasured(Directive directive) {
    return new Candidate(directive.path(), Math.max(1, directive.bytes()), PinPolicy.AUTO, 0, true);
  }

  private Candidate candidate(FileHeat file) {
    return new Candidate(
        file.path(),
        file.length() * options.replication(),
        file.cacheable() ? file.policy() : PinPolicy.NEVER,
        file.heat(),
        file.settling() || file.pending());
  }

  /** Returns the limit less the bytes of other directives and of unknown files. */
  private PinLimits limits(Collection<Long> pinned, Collection<FileHeat> files) {
    long own = pinned.stream().mapToLong(Long::longValue).sum();
    long bytes = Math.max(0, limit - Math.max(0, needed - own));
    long pending =
        files.stream()
            .filter(file -> file.pending() && directives.containsKey(file.path()))
            .mapToLong(file -> file.length() * options.replication())
            .sum();
    double reserve = options.limits().reserve();
    double used = bytes == 0 ? 0 : (double) pending / bytes;
    return new PinLimits(
        bytes, Math.max(0, reserve - used), options.limits().factor(), options.limits().changes());
  }

  /** Returns the number of servers that have reported. */
  synchronized int servers() {
    return reports.size();
  }

  /** Returns whether a step is still to do: a pin without a directive, or an unpin with one. */
  synchronized boolean isOpenStep(Step step) {
    return directives.containsKey(step.path()) == (step.action() == Action.UNPIN);
  }
}
