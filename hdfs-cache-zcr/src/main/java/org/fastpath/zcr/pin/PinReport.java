package org.fastpath.zcr.pin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.fastpath.zcr.pin.PinPlan.Action;
import org.fastpath.zcr.pin.PinPlan.Step;
import org.fastpath.zcr.pin.PinPlan.Verdict;

/**
 * The result of a round, for operators.
 *
 * @param next planned changes of the coordinator with reasons
 * @param own the directives of this server's files, by path
 * @param share bytes of memory for the cluster
 */
record PinReport(PinPlan next, Map<String, Directive> own, long share) {
  private static final int MAX_LINES = 1_000;

  static final PinReport NONE = new PinReport(new PinPlan(List.of(), List.of(), 0), Map.of(), 0);

  PinReport {
    own = Map.copyOf(own);
  }

  /** Returns lines about the pinned files: their bytes in memory and the reasons. */
  List<String> status() {
    List<String> lines = new ArrayList<>();
    long bytes = own.values().stream().mapToLong(Directive::bytes).sum();
    long cached = own.values().stream().mapToLong(Directive::cachedBytes).sum();
    lines.add(
        own.size()
            + " files pinned, "
            + text(bytes)
            + " of a limit of "
            + text(share)
            + "; in memory "
            + text(cached));
    next.verdicts().stream()
        .filter(verdict -> verdict.pinned() && own.containsKey(verdict.path()))
        .limit(MAX_LINES)
        .map(verdict -> pinned(verdict, own.get(verdict.path())))
        .forEach(lines::add);
    return lines;
  }

  private static String pinned(Verdict verdict, Directive directive) {
    return verdict.path()
        + "  "
        + text(directive.cachedBytes())
        + " of "
        + text(directive.bytes())
        + " in memory"
        + why(verdict);
  }

  /** Returns lines about the files to pin, to unpin and to leave, with the reasons. */
  List<String> plan() {
    List<String> lines = new ArrayList<>();
    for (Step step : next.steps()) {
      lines.add((step.action() == Action.PIN ? "pin    " : "unpin  ") + step.path());
    }
    if (next.deferred() > 0) {
      lines.add("and " + next.deferred() + " changes in later rounds");
    }
    if (lines.isEmpty()) {
      lines.add("nothing to change");
    }
    next.verdicts().stream()
        .filter(verdict -> !verdict.pinned() && !verdict.reason().wanted())
        .limit(MAX_LINES)
        .map(verdict -> "not    " + verdict.path() + "  " + text(verdict.bytes()) + why(verdict))
        .forEach(lines::add);
    return lines;
  }

  private static String why(Verdict verdict) {
    return String.format(Locale.ROOT, ", worth %.2f: ", verdict.worth()) + verdict.reason().text();
  }

  private static String text(long bytes) {
    return TraditionalBinaryPrefix.long2String(bytes, "B", 1);
  }
}
