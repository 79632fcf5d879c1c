package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.InvalidRequestException;
import org.fastpath.zcr.pin.PinPlan.Action;
import org.fastpath.zcr.pin.PinPlan.Step;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pins and unpins files for the whole cluster: the part of the coordinator that calls the NameNode.
 *
 * <p><b>Calls of a round.</b> One call reads the state of the pool, and one makes the NameNode
 * apply the changes. Changes and renewals are limited to {@link #CHANGES_PER_SECOND} of each a
 * second. The pool is listed at the start of the coordinator. After that, a listing of n calls is
 * repeated after n seconds at the earliest. With 30,000 pinned files a listing is 301 calls, every
 * five minutes. Between listings the coordinator knows the directives from its own changes.
 *
 * <p><b>Leases.</b> A lease is renewed at a quarter to a half of its time, by the NameNode's clock
 * ({@link LeaseClock}). Renewals come before changes, in any state of the pool. Each path has a
 * moment of its own, so files that were pinned together are not renewed together. With the default
 * of a day, 30,000 files need 0.9 renewals a second, and 1.4 in the first day. Without a
 * coordinator, pins last for at least twelve hours.
 *
 * <p>Not thread-safe.
 */
final class PinCoordinator {
  private static final Logger LOG = LoggerFactory.getLogger(PinCoordinator.class);

  /** Limit of changes of the whole cluster, and separately of renewals that are not urgent. */
  static final int CHANGES_PER_SECOND = 20;

  private static final long MILLIS_PER_LISTING_CALL = 1_000;
  private static final long LOCKABLE_MILLIS = TimeUnit.MINUTES.toMillis(5);

  /** The NameNode's time counts as known for the lease divided by this number. */
  private static final int CLOCK_PARTS = 8;

  /** Fibonacci hashing: paths that differ in their last letters get different upper bits. */
  private static final long HASH_MIX = 0x9E3779B97F4A7C15L;

  private static final int HASH_SHIFT = 48;

  private final CacheDirectives directives;
  private final PinOptions options;
  private final PinBoard board;
  private final PinMetrics metrics;
  private final LongSupplier millis;
  private final LeaseClock clock = new LeaseClock();
  private final LockedMemoryCheck lockedMemoryCheck;
  private long leaseMillis;
  private long lastRound;
  private long lastListing;
  private long listingCalls;
  private long lastLockable;
  private OptionalLong lockable = OptionalLong.empty();
  private String lastWarning = "";
  private LeaseSet lastSet;
  private boolean changed;

  /** The directive whose lease was set last, with the time. */
  private record LeaseSet(long id, long at) {}

  /**
   * Makes a coordinator.
   *
   * @param millis a clock that does not go back
   */
  PinCoordinator(
      CacheDirectives directives,
      PinOptions options,
      PinBoard board,
      PinMetrics metrics,
      LongSupplier millis) {
    this.directives = directives;
    this.options = options;
    this.board = board;
    this.metrics = metrics;
    this.millis = millis;
    leaseMillis = options.leaseMillis();
    lockedMemoryCheck = new LockedMemoryCheck(options.pool());
    lastRound = now() - options.intervalMillis();
    lastLockable = now() - LOCKABLE_MILLIS;
  }

  private long now() {
    return millis.getAsLong();
  }

  /**
   * Runs a round.
   *
   * @param live the servers of the cluster; empty if unknown
   */
  void round(Set<String> live) throws IOException {
    metrics.round();
    try {
      listIfDue();
      board.updateKept(live, now());
      try {
        readState();
      } finally {
        // A renewal makes the NameNode rescan before it shows the state, so it comes afterwards.
        renew();
      }
    } catch (CachePoolException e) {
      board.blocked(e.getMessage());
      throw e;
    }
    carryOut(board.takeUrgent());
    PinBoard.Work work = board.plan(live, changes(), now());
    for (Step step : work.plan().steps()) {
      carryOut(step);
    }
    removeExpired();
    takeUp();
    metrics.coordinated(work);
  }

  /** Pins the outputs for which compactions wait, between rounds. */
  void carryOutUrgent() throws IOException {
    carryOut(board.takeUrgent());
    takeUp();
  }

  private void carryOut(List<Step> urgent) throws IOException {
    for (Step step : urgent) {
      if (board.isOpenStep(step)) {
        carryOut(step);
      }
    }
  }

  /** Returns the allowed changes for the time since the last round. */
  private int changes() {
    long elapsed = Math.min(now() - lastRound, options.intervalMillis());
    lastRound = now();
    long most = CHANGES_PER_SECOND * Math.max(1, TimeUnit.MILLISECONDS.toSeconds(elapsed));
    long wanted = (long) options.limits().changes() * Math.max(1, board.servers());
    return (int) Math.min(most, wanted);
  }

  // The pool.

  private void listIfDue() throws IOException {
    if (listingCalls > 0 && now() - lastListing < listingCalls * MILLIS_PER_LISTING_CALL) {
      return;
    }
    lastListing = now();
    Map<String, Directive> pool = directives.directives();
    listingCalls = CacheDirectives.calls(pool.size());
    metrics.listed(listingCalls);
    board.listed(pool);
    for (Directive directive : pool.values()) {
      if (directive.ids().size() > 1) {
        directives.unpinDoubles(directive);
        board.pinned(directive.single());
      }
    }
  }

  private void readState() throws IOException {
    PoolState pool = directives.state();
    leaseMillis = pool.leaseMillis();
    lockedMemoryCheck.check(pool, now());
    board.pool(limit(pool), pool.neededBytes());
  }

  /**
   * Returns the pool's limit, or the memory that live DataNodes may lock if that is less. Pinned
   * files stay pinned when a DataNode dies: it comes back, or its blocks are locked elsewhere.
   */
  private long limit(PoolState pool) throws IOException {
    if (now() - lastLockable >= LOCKABLE_MILLIS) {
      lockable = directives.lockable();
      lastLockable = now();
    }
    if (lockable.isEmpty()) {
      return pool.limit();
    }
    if (lockable.getAsLong() == 0) {
      lastLockable = now() - LOCKABLE_MILLIS;
    }
    lockedMemoryCheck.checkLockable(pool, lockable.getAsLong()).ifPresent(this::warn);
    return Math.min(pool.limit(), Math.max(lockable.getAsLong(), pool.neededBytes()));
  }

  private void warn(String warning) {
    if (!warning.equals(lastWarning)) {
      lastWarning = warning;
      LOG.warn("Pinning is limited: {}", warning);
    }
  }

  // Changes.

  private void carryOut(Step step) throws IOException {
    Directive directive = board.directive(step.path());
    if (step.action() == Action.PIN) {
      pin(step, directive);
    } else if (directive != null) {
      unpin(directive);
    }
  }

  private void pin(Step step, Directive expired) throws IOException {
    try {
      long id = expired == null ? add(step) : expired.ids().get(0);
      boolean isPinned = expired == null || directives.renew(id, leaseMillis);
      set(id);
      if (clock.now(now(), leaseMillis / CLOCK_PARTS).isEmpty()) {
        takeUp();
      }
      if (isPinned) {
        board.pinned(new Directive(step.path(), List.of(id), step.bytes(), 0, fullLease(), false));
        metrics.pinned();
      }
    } catch (InvalidRequestException e) {
      metrics.refused();
      LOG.debug("The NameNode did not pin {}; a later round tries again", step.path(), e);
    }
  }

  private long add(Step step) throws IOException {
    return directives.pin(step.path(), leaseMillis);
  }

  private void unpin(Directive directive) throws IOException {
    directives.unpin(directive);
    board.unpinned(directive.path());
    metrics.unpinned();
  }

  /** Removes expired directives, up to the limit of a round. */
  private void removeExpired() throws IOException {
    int most = CHANGES_PER_SECOND;
    for (Directive directive : board.all()) {
      if (directive.expired() && most-- > 0) {
        unpin(directive);
      }
    }
  }

  // Leases.

  private void renew() throws IOException {
    List<Directive> kept = board.kept();
    if (kept.isEmpty()) {
      return;
    }
    if (time().isEmpty()) {
      renew(kept.get(0));
      takeUp();
      renewedNow(kept.get(0));
    }
    OptionalLong time = time();
    if (time.isPresent()) {
      renew(kept, time.getAsLong());
    }
  }

  private void renew(List<Directive> oldestFirst, long time) throws IOException {
    long most = CHANGES_PER_SECOND * TimeUnit.MILLISECONDS.toSeconds(options.intervalMillis());
    for (Directive old : oldestFirst) {
      Directive directive = board.directive(old.path());
      if (directive != null && directive.expires() <= time + longestLeft(directive.path())) {
        if (most-- <= 0 && directive.expires() > time + leaseMillis / 4) {
          return;
        }
        renew(directive);
        renewedNow(directive);
      }
    }
  }

  /** Returns the rest of a lease, a half to three quarters, at which this path's is renewed. */
  private long longestLeft(String path) {
    long share = path.hashCode() * HASH_MIX >>> HASH_SHIFT;
    return leaseMillis / 2 + (leaseMillis / 4 * share >> Long.SIZE - HASH_SHIFT);
  }

  private void renew(Directive directive) throws IOException {
    for (long id : directive.ids()) {
      if (directives.renew(id, leaseMillis)) {
        set(id);
        metrics.renewed();
      } else {
        board.unpinned(directive.path());
        return;
      }
    }
  }

  private void renewedNow(Directive directive) {
    board.renewed(directive.path(), fullLease());
  }

  private OptionalLong time() {
    return clock.now(now(), leaseMillis / CLOCK_PARTS);
  }

  /** Returns the end of a lease set now; a time in the past if the NameNode's time is unknown. */
  private long fullLease() {
    OptionalLong time = time();
    return time.isPresent() ? time.getAsLong() + leaseMillis : 0;
  }

  private void set(long id) {
    lastSet = new LeaseSet(id, now());
    changed = true;
  }

  /** Makes the NameNode apply the changes, and learns its time from the last lease. */
  private void takeUp() throws IOException {
    if (!changed) {
      return;
    }
    changed = false;
    OptionalLong expires = directives.expires(lastSet.id);
    if (expires.isPresent()) {
      clock.learn(expires.getAsLong(), leaseMillis, lastSet.at);
    }
  }
}
