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
 * Decides which store files are kept in the memory of DataNodes.
 *
 * <p><b>Choice.</b> HDFS pins whole files. The worth of a file is its bytes read per byte of
 * memory. This is GreedyDual-Size-Frequency [2] with the recency of LRFU [1] and without cost,
 * because a miss costs the same for every file. Filling a limit is the knapsack problem. Taking the
 * densest first is optimal except for one item [3], which is small beside the limit. Whole files
 * also suit readers: all reads of a scan should be in memory, not most of them [4].
 *
 * <p><b>Stability.</b> A change is expensive: the NameNode logs it, DataNodes read the file from a
 * busy disk, and mappings of the unpinned file end. So a pinned file counts {@link
 * PinLimits#factor} times its worth, and wins at equal worth. An unread pinned file stays until
 * another one is worth its memory. A file pinned before it could be measured here ranks before all
 * AUTO files for one half-life.
 *
 * <p><b>Order.</b> Files with ALWAYS precede those with AUTO. The plan first pins the files that
 * fit. Then it unpins the least wanted files, one at a time, until the next one fits. So the limit
 * holds after each single step. A part of the limit stays free ({@link PinLimits#reserve}), so a
 * compaction's output is pinned beside its inputs ({@link #succession}).
 *
 * <p><b>Termination.</b> Let T be the chosen set. After any part of the steps, members of T rank at
 * least as high, and others at most as high. So T is chosen again. If heats keep their ratios, n
 * changes take n / {@link PinLimits#changes} rounds.
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
 * <p>Stateless and without a clock. The result does not depend on the order of the input.
 */
final class PinPlanner {
  /** The minimum worth of a pinned file: bytes read, decayed, per byte. */
  static final double MIN_WORTH = 1.0 / 16;

  private static final Comparator<Ranked> MAX_WANTED =
      Comparator.comparingInt(Ranked::group)
          .thenComparing(Comparator.comparingDouble(Ranked::weight).reversed())
          .thenComparing(Ranked::pinned, Comparator.reverseOrder())
          .thenComparing(ranked -> ranked.file.path());

  private final PinLimits limits;

  PinPlanner(PinLimits limits) {
    this.limits = limits;
  }

  /** A file with its rank. */
  private record Ranked(Candidate file, long bytes, boolean pinned, int group, double weight) {}

  /**
   * Plans a round.
   *
   * @param candidates at most one per path
   * @param pinned memory of the pinned files, by path
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
   * Returns the steps that pin the output of a compaction while its inputs are still read. If there
   * is no room, less wanted files are unpinned. With ALWAYS, the inputs are the last of them;
   * otherwise only the inputs are unpinned. Returns empty if there are too many steps or too little
   * room.
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
    ranking.sort(MAX_WANTED);
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
    if (auto && !ranked.pinned && ranked.file.worth() < MIN_WORTH) {
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

  /** Returns the pinned files that are no candidates, in reverse order. */
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

  /** Unpins as many files as necessary. Returns the used bytes after that. */
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
