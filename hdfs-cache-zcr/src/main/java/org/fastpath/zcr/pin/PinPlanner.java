package org.fastpath.zcr.pin;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.fastpath.zcr.pin.PinPlan.Action;
import org.fastpath.zcr.pin.PinPlan.Reason;
import org.fastpath.zcr.pin.PinPlan.Step;
import org.fastpath.zcr.pin.PinPlan.Verdict;

/**
 * Decides which store files deserve the memory of DataNodes.
 *
 * <p><b>What is chosen.</b> HDFS pins whole files, and a file is worth a byte of memory as much as
 * its reads per byte (GreedyDual-Size-Frequency [2] with the recency of LRFU [1] in place of the
 * inflation of its clock, and without cost: a miss costs the same for every file). To fill a limit
 * with the most worth is the knapsack problem, for which taking the densest first is the answer but
 * for one item [3]; store files are small beside the limit, so that item does not matter. That
 * files are pinned whole or not at all suits readers too: what counts is that all reads of a scan
 * are local and in memory, not most of them [4].
 *
 * <p><b>What is kept.</b> A change costs more than it seems: the NameNode logs it, DataNodes read
 * the file from the disk that others wait for, and mappings of the file that leaves are dropped. So
 * a pinned file counts {@link PinLimits#factor} times its worth, and of two with the same worth the
 * pinned one stays. A pinned file that nobody reads stays also, until another one is worth its
 * memory. A file that was pinned before its reads could be measured, by another server or before a
 * restart, ranks before all AUTO files for the half-life that measuring takes.
 *
 * <p><b>In which order.</b> Files with ALWAYS come before those with AUTO. What fits is pinned
 * first; then, one at a time, the least wanted are unpinned until the next one fits. So the limit
 * holds after each single step, and a file that takes another's place is there before that one
 * leaves wherever there is room for both. A part of the limit is kept free for this ({@link
 * PinLimits#reserve}): a compaction's output is pinned beside its inputs ({@link #succession}).
 *
 * <p><b>Why it comes to rest.</b> Let T be what is chosen. After any part of the steps those in T
 * rank where they did or higher, because they are pinned, and the others where they did or lower.
 * In the new order each file outside T meets at least the members of T that kept it out before, and
 * each member of T still fits, because all of T does. So T is chosen again: with heats that keep
 * their ratios, n changes take n / {@link PinLimits#changes} rounds, and then there are none.
 *
 * <ol>
 *   <li>D. Lee, J. Choi, J.-H. Kim, S. H. Noh, S. L. Min, Y. Cho, C. S. Kim, "LRFU: A Spectrum of
 *       Policies that Subsumes the Least Recently Used and Least Frequently Used Policies", IEEE
 *       Transactions on Computers 50(12), 2001
 *   <li>L. Cherkasova, "Improving WWW Proxies Performance with Greedy-Dual-Size-Frequency Caching
 *       Policy", HP Laboratories, HPL-98-69R1, 1998
 *   <li>G. B. Dantzig, "Discrete-Variable Extremum Problems", Operations Research 5(2), 1957
 *   <li>G. Ananthanarayanan, A. Ghodsi, A. Wang, D. Borthakur, S. Kandula, S. Shenker, I. Stoica,
 *       "PACMan: Coordinated Memory Caching for Parallel Jobs", NSDI 2012
 * </ol>
 *
 * <p>Has no state and no clock; what it says depends on what it is given, not on its order.
 */
final class PinPlanner {
  /** The part of its length that must have been read of a file, decayed, before it is pinned. */
  static final double LEAST_WORTH = 1.0 / 16;

  private static final Comparator<Ranked> MOST_WANTED =
      Comparator.comparingInt(Ranked::group)
          .thenComparing(Comparator.comparingDouble(Ranked::weight).reversed())
          .thenComparing(Ranked::pinned, Comparator.reverseOrder())
          .thenComparing(ranked -> ranked.file.path());

  private final PinLimits limits;

  PinPlanner(PinLimits limits) {
    this.limits = limits;
  }

  /** A file with its place among others. */
  private record Ranked(Candidate file, long bytes, boolean pinned, int group, double weight) {}

  /**
   * Plans a round.
   *
   * @param candidates at most one a path
   * @param pinned what is pinned now, with the memory that it takes
   */
  PinPlan plan(Collection<Candidate> candidates, Map<String, Long> pinned) {
    List<Verdict> verdicts = new ArrayList<>();
    List<Candidate> pins = new ArrayList<>();
    Deque<Step> unpins = new ArrayDeque<>();
    long room = limits.target();
    for (Ranked ranked : rank(candidates, pinned)) {
      Candidate file = ranked.file;
      Reason reason = reason(ranked, room);
      verdicts.add(new Verdict(file.path(), ranked.bytes, file.worth(), ranked.pinned, reason));
      if (reason.wanted()) {
        room -= ranked.bytes;
        if (!ranked.pinned) {
          pins.add(file);
        }
      } else if (ranked.pinned) {
        unpins.push(unpin(file.path(), ranked.bytes));
      }
    }
    for (String path : unknown(candidates, pinned)) {
      verdicts.add(new Verdict(path, pinned.get(path), 0, true, Reason.GONE));
      unpins.push(unpin(path, pinned.get(path)));
    }
    List<Step> steps = order(pins, unpins, sum(pinned.values()));
    int now = Math.min(limits.changes(), steps.size());
    return new PinPlan(verdicts, steps.subList(0, now), steps.size() - now);
  }

  /**
   * The steps that pin the output of a compaction while its inputs are still read: it alone where
   * there is room, else files that are less wanted leave for it, its inputs last if the table says
   * ALWAYS, its inputs alone if not. Empty if that would be too many steps or not enough room.
   */
  List<Step> succession(
      Candidate successor,
      Set<String> inputs,
      Collection<Candidate> candidates,
      Map<String, Long> pinned) {
    Deque<Step> unpins = new ArrayDeque<>();
    for (Ranked ranked : rank(candidates, pinned)) {
      boolean yields =
          successor.policy() == PinPolicy.ALWAYS && ranked.file.policy() != PinPolicy.ALWAYS;
      if (ranked.pinned && yields && !inputs.contains(ranked.file.path())) {
        unpins.push(unpin(ranked.file.path(), ranked.bytes));
      }
    }
    inputs.stream()
        .sorted()
        .filter(pinned::containsKey)
        .forEach(input -> unpins.add(unpin(input, pinned.get(input))));
    unknown(candidates, pinned).stream()
        .filter(path -> !inputs.contains(path))
        .forEach(path -> unpins.push(unpin(path, pinned.get(path))));
    List<Step> steps = new ArrayList<>();
    long used = makeRoom(successor.bytes(), sum(pinned.values()), unpins, steps);
    steps.add(pin(successor));
    boolean possible = used + successor.bytes() <= limits.bytes();
    return possible && steps.size() <= limits.changes() ? steps : List.of();
  }

  private List<Ranked> rank(Collection<Candidate> candidates, Map<String, Long> pinned) {
    List<Ranked> ranking = new ArrayList<>();
    for (Candidate file : candidates) {
      Long bytes = pinned.get(file.path());
      boolean isPinned = bytes != null;
      double weight = file.worth() * (isPinned ? limits.factor() : 1);
      ranking.add(
          new Ranked(
              file, isPinned ? bytes : file.bytes(), isPinned, group(file, isPinned), weight));
    }
    ranking.sort(MOST_WANTED);
    return ranking;
  }

  private static int group(Candidate file, boolean pinned) {
    return switch (file.policy()) {
      case ALWAYS -> 0;
      case AUTO -> pinned && file.settling() ? 1 : 2;
      case NEVER -> 3;
    };
  }

  private Reason reason(Ranked ranked, long room) {
    PinPolicy policy = ranked.file.policy();
    if (policy == PinPolicy.NEVER) {
      return Reason.NEVER;
    }
    boolean auto = policy == PinPolicy.AUTO;
    if (auto && !ranked.pinned && ranked.file.worth() < LEAST_WORTH) {
      return Reason.COLD;
    }
    if (ranked.bytes > room) {
      return Reason.NO_ROOM;
    }
    if (!auto) {
      return Reason.ALWAYS;
    }
    if (!ranked.pinned) {
      return Reason.HOT;
    }
    return ranked.file.settling() ? Reason.SETTLING : Reason.KEPT;
  }

  /** What is pinned and no candidate, the last of it first. */
  private static Collection<String> unknown(
      Collection<Candidate> candidates, Map<String, Long> pinned) {
    Set<String> known = new HashSet<>();
    candidates.forEach(file -> known.add(file.path()));
    return pinned.keySet().stream()
        .filter(path -> !known.contains(path))
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  private List<Step> order(List<Candidate> pins, Deque<Step> unpins, long usedNow) {
    List<Step> steps = new ArrayList<>();
    long used = usedNow;
    for (Candidate file : pins) {
      used = makeRoom(file.bytes(), used, unpins, steps);
      steps.add(pin(file));
      used += file.bytes();
    }
    steps.addAll(unpins);
    return steps;
  }

  /** Unpins as many as it takes; returns what is used then. */
  private long makeRoom(long bytes, long usedNow, Deque<Step> unpins, List<Step> steps) {
    long used = usedNow;
    while (used + bytes > limits.bytes() && !unpins.isEmpty()) {
      Step step = unpins.pop();
      steps.add(step);
      used -= step.bytes();
    }
    return used;
  }

  private static Step pin(Candidate file) {
    return new Step(Action.PIN, file.path(), file.bytes());
  }

  private static Step unpin(String path, long bytes) {
    return new Step(Action.UNPIN, path, bytes);
  }

  private static long sum(Collection<Long> bytes) {
    return bytes.stream().mapToLong(Long::longValue).sum();
  }
}
