package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.InvalidRequestException;
import org.fastpath.zcr.pin.PinPlan.Action;
import org.fastpath.zcr.pin.PinPlan.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rounds of one RegionServer: looks at what its regions have open and at what is pinned, plans,
 * and carries the plan out.
 *
 * <p><b>One pool, many servers.</b> Each server may ask for its share, the limit divided by the
 * servers that live, and decides about the files of its own regions alone ({@link Ownership}). A
 * leader would see all heats and could give a busy server more; but heats would have to be sent to
 * it, it would have to be elected, and for as long as it is gone or wrong nobody's compactions
 * would be followed. Shares need no message between servers, and suit where the memory is: a
 * directive pays where a DataNode beside the server has the block, and the DataNodes have equal
 * memory as a rule. What a share costs is what an idle server does not use of its own.
 *
 * <p>The limit holds for all together: shares add up to it, and where servers count each other
 * differently for a moment, because one has come or gone, none asks for more than the pool has
 * left, and the NameNode refuses what does not fit.
 *
 * <p>A restarted server finds the directives of its regions at the NameNode and goes on with them.
 * Directives are leases [1], which end where nobody renews them.
 *
 * <p><b>Compactions.</b> When one is about to put its output in place of its inputs, the output is
 * pinned beside them, with their heat. It pends until it is seen among the open files; until then a
 * round neither drops it, though no region reads it, nor fills the reserve that it may have used.
 *
 * <ol>
 *   <li>C. Gray, D. Cheriton, "Leases: An Efficient Fault-Tolerant Mechanism for Distributed File
 *       Cache Consistency", SOSP 1989
 * </ol>
 *
 * <p>Thread-safe: a round and a compaction that pins its output exclude each other.
 */
final class Pinning {
  private static final Logger LOG = LoggerFactory.getLogger(Pinning.class);

  /** After which an output that never came into place is forgotten. */
  private static final long PENDING_MILLIS = TimeUnit.MINUTES.toMillis(5);

  private final CacheDirectives directives;
  private final PinOptions options;
  private final PinMetrics metrics;
  private final Heats heats;
  private final Ownership ownership = new Ownership();
  private final LockWatch lockWatch;
  private final Map<String, Pending> pending = new HashMap<>();
  private volatile PinReport report = PinReport.NONE;

  /** The output of a compaction that is not in place yet. */
  private record Pending(OpenFile file, long since) {}

  /** What is known at the begin of a round. */
  private record View(
      PoolState pool, Map<String, Directive> own, PinLimits limits, List<Candidate> candidates) {
    Map<String, Long> pinned() {
      return own.values().stream()
          .filter(directive -> !directive.expired())
          .collect(Collectors.toMap(Directive::path, Directive::bytes));
    }
  }

  Pinning(CacheDirectives directives, PinOptions options, PinMetrics metrics) {
    this.directives = directives;
    this.options = options;
    this.metrics = metrics;
    heats = new Heats(options.halfLifeMillis());
    lockWatch = new LockWatch(options.pool());
  }

  /** What the last round left behind. */
  PinReport report() {
    return report;
  }

  /**
   * One round.
   *
   * @param servers that share the pool
   * @param now milliseconds of a clock that does not go back
   */
  synchronized void round(OpenFiles open, int servers, long now) throws IOException {
    metrics.round();
    observe(open, now);
    View view = look(open, servers, now);
    cleanUp(view);
    PinPlan plan = plan(view);
    for (Step step : plan.steps()) {
      carryOut(step, view.own);
    }
    renew(view, plan);
    View after = plan.steps().isEmpty() ? view : look(open, servers, now);
    report = new PinReport(plan(after), after.own, after.limits.bytes());
    metrics.show(report);
  }

  private static PinPlan plan(View view) {
    return new PinPlanner(view.limits).plan(view.candidates, view.pinned());
  }

  /**
   * Pins the output of a compaction that is not in place yet, if it deserves it.
   *
   * @param inputs what it will replace
   * @return whether it is pinned
   */
  synchronized boolean succeed(
      OpenFile output, Collection<OpenFile> inputs, OpenFiles open, int servers, long now)
      throws IOException {
    Set<String> paths = inputs.stream().map(OpenFile::path).collect(Collectors.toSet());
    long inputBytes = inputs.stream().mapToLong(OpenFile::length).sum();
    View view = look(open, servers, now);
    Map<String, Long> pinned = view.pinned();
    if (!deserves(output, inputs, inputBytes, pinned)) {
      return false;
    }
    double share = inputBytes == 0 ? 0 : Math.min(1, (double) output.length() / inputBytes);
    heats.inherit(output.path(), paths, share, now);
    List<Step> steps =
        new PinPlanner(view.limits)
            .succession(candidate(output, now), paths, view.candidates, pinned);
    pending.put(output.path(), new Pending(output, now));
    boolean isPinned = false;
    for (Step step : steps) {
      isPinned = carryOut(step, view.own);
    }
    if (isPinned) {
      metrics.succeeded();
    }
    return isPinned;
  }

  /** An output takes the place of inputs that are pinned, for the most part of them. */
  private static boolean deserves(
      OpenFile output, Collection<OpenFile> inputs, long inputBytes, Map<String, Long> pinned) {
    return switch (output.policy()) {
      case ALWAYS -> true;
      case AUTO -> {
        long pinnedBytes =
            inputs.stream()
                .filter(input -> pinned.containsKey(input.path()))
                .mapToLong(OpenFile::length)
                .sum();
        yield pinnedBytes > 0 && pinnedBytes >= inputBytes / 2;
      }
      case NEVER -> false;
    };
  }

  private void observe(OpenFiles open, long now) {
    Set<String> readers = new HashSet<>();
    Set<String> paths = new HashSet<>();
    for (OpenFile file : open.files()) {
      heats.read(file.path(), file.reader(), file.bytesRead(), now);
      readers.add(file.reader());
      paths.add(file.path());
    }
    pending.keySet().removeAll(paths);
    pending.values().removeIf(output -> now - output.since > PENDING_MILLIS);
    paths.addAll(pending.keySet());
    heats.retain(paths, readers);
  }

  private View look(OpenFiles open, int servers, long now) throws IOException {
    PoolState pool = directives.state();
    lockWatch.check(pool, now);
    ownership.update(open, pool.directives().keySet());
    Map<String, Directive> own = own(pool, open);
    long ownBytes = own.values().stream().mapToLong(Directive::bytes).sum();
    long left = Math.max(0, pool.limit() - pool.neededBytes());
    PinLimits limits =
        options.limits().withBytes(Math.min(pool.limit() / servers, ownBytes + left));
    return new View(
        pool, own, pending.isEmpty() ? limits : limits.withoutReserve(), candidates(open, now));
  }

  private Map<String, Directive> own(PoolState pool, OpenFiles open) {
    Map<String, Directive> own = new TreeMap<>(pool.directives());
    own.keySet().removeIf(path -> !ownership.owns(path, open));
    return own;
  }

  /** One a path: of several readers the one with the strongest policy decides. */
  private List<Candidate> candidates(OpenFiles open, long now) {
    Map<String, OpenFile> byPath = new HashMap<>();
    List<OpenFile> files = new ArrayList<>(open.files());
    pending.values().forEach(output -> files.add(output.file));
    for (OpenFile file : files) {
      byPath.merge(
          file.path(), file, (one, two) -> one.policy().compareTo(two.policy()) <= 0 ? one : two);
    }
    return byPath.values().stream().map(file -> candidate(file, now)).toList();
  }

  private Candidate candidate(OpenFile file, long now) {
    return new Candidate(
        file.path(),
        file.length() * options.replication(),
        file.policy(),
        heats.of(file.path(), now),
        heats.settling(file.path(), now));
  }

  /** Removes what has expired, whoever's it was, and what is there twice. */
  private void cleanUp(View view) throws IOException {
    for (Directive directive : view.pool.directives().values()) {
      if (directive.expired()) {
        directives.unpin(directive);
      }
    }
    for (Directive directive : view.own.values()) {
      if (!directive.expired() && directive.ids().size() > 1) {
        directives.unpinDoubles(directive);
      }
    }
  }

  /** Returns whether it was done: a NameNode can refuse to pin. */
  private boolean carryOut(Step step, Map<String, Directive> own) throws IOException {
    if (step.action() == Action.UNPIN) {
      directives.unpin(own.get(step.path()));
      metrics.unpinned();
      return true;
    }
    try {
      directives.pin(step.path());
      metrics.pinned();
      return true;
    } catch (InvalidRequestException e) {
      metrics.refused();
      LOG.debug("{} is not pinned", step.path(), e);
      return false;
    }
  }

  private void renew(View view, PinPlan plan) throws IOException {
    Set<String> dropped =
        plan.steps().stream()
            .filter(step -> step.action() == Action.UNPIN)
            .map(Step::path)
            .collect(Collectors.toSet());
    for (Directive directive : view.own.values()) {
      if (!directive.expired() && !dropped.contains(directive.path())) {
        directives.renew(directive, System.currentTimeMillis());
      }
    }
  }
}
