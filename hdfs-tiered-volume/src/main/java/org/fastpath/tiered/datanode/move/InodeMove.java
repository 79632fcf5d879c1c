package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the requests of one file or directory to their end, by as many rounds as it takes.
 *
 * <p>A request ends when a round that began after it finds every replica in place. One that comes
 * while rounds are under way is not among those that they end, so that it is looked at once more:
 * no change of the policy is lost, however late it comes.
 *
 * <p>Run by one thread at a time; the queue's thread begins runs and asks whether one is due.
 */
final class InodeMove {
  /** What a run needs. */
  interface Context {
    /** A round to run once. */
    MoveRound round(SettlingMoves settling, BooleanSupplier stopped) throws IOException;

    MoveQueue queue();

    MoveMetrics metrics();

    MoveOptions options();

    /** Whether this process may not move any longer. */
    boolean isStopped();
  }

  private static final Logger LOG = LoggerFactory.getLogger(InodeMove.class);
  private static final long FIRST_SETTLE_MILLIS = 10;
  private static final long LONGEST_SETTLE_MILLIS = 1_000;
  private static final long LONGEST_BACKOFF_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final int MOST_DOUBLINGS = 20;

  private final long inode;
  private final Context context;
  private final SettlingMoves settling = new SettlingMoves();
  private volatile List<MoveRequest> requests = List.of();
  private int attempts;
  private int waits;

  private volatile boolean running;
  private volatile boolean cancelled;
  private volatile long dueNanos = System.nanoTime();

  InodeMove(long inode, Context context) {
    this.inode = inode;
    this.context = context;
  }

  boolean isRunning() {
    return running;
  }

  /** Whether a run is to begin now: its time has come, or there is a request that it knows not. */
  boolean isDue(List<MoveRequest> current) {
    if (running) {
      return false;
    }
    return System.nanoTime() - dueNanos >= 0 || hasNew(current);
  }

  /** Takes the requests that the next run ends. */
  void begin(List<MoveRequest> current) {
    if (hasNew(current)) {
      attempts = 0;
      waits = 0;
    }
    requests = current;
    cancelled = false;
    running = true;
  }

  private boolean hasNew(List<MoveRequest> current) {
    List<MoveRequest> known = requests;
    return current.stream().anyMatch(request -> known.stream().noneMatch(request::isSameAs));
  }

  /** Lets the run end with the moves that have begun. */
  void cancel() {
    cancelled = true;
  }

  private boolean isStopped() {
    return cancelled || context.isStopped();
  }

  /** One run. */
  void run() {
    try {
      change(MoveState.MOVING, Optional.empty());
      if (!requests.isEmpty()) {
        moveAndDecide();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Inode {} is tried again later: {}", inode, e.toString());
      waitForNext();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      running = false;
    }
  }

  private void moveAndDecide() throws IOException, InterruptedException {
    long pause = FIRST_SETTLE_MILLIS;
    MoveRound round = runRound();
    while (round.isUnsettled() && !isStopped()) {
      if (round.hasMoved()) {
        attempts = 0;
        waits = 0;
        pause = FIRST_SETTLE_MILLIS;
      }
      Thread.sleep(pause);
      pause = Math.min(2 * pause, LONGEST_SETTLE_MILLIS);
      round = runRound();
    }
    if (!isStopped() && !round.wasCutShort()) {
      decide(round);
    }
  }

  private MoveRound runRound() throws IOException, InterruptedException {
    MoveRound round = context.round(settling, this::isStopped);
    round.run(inode);
    return round;
  }

  private void decide(MoveRound round) throws IOException {
    Set<Obstacle> obstacles = round.obstacles();
    if (round.foundNothing() || obstacles.isEmpty()) {
      finish();
      return;
    }
    Optional<Obstacle> reason = obstacles.stream().filter(o -> !o.passes()).findFirst();
    boolean mayPass = obstacles.stream().anyMatch(o -> !o.isPermanent());
    boolean counts = obstacles.stream().anyMatch(o -> !o.isPermanent() && !o.passes());
    if (counts) {
      attempts++;
    }
    boolean ends = !mayPass || attempts >= context.options().attempts();
    if (ends || attempts == 1) {
      LOG.warn(
          "Inode {}, {}: {}. {}",
          inode,
          ends ? "given up" : "tried again",
          reason.orElse(Obstacle.OPEN).description(),
          round.failure());
    }
    if (ends) {
      change(MoveState.FAILED, reason);
      context.metrics().gaveUp();
    } else {
      change(MoveState.WAITING, reason.or(() -> Optional.of(Obstacle.OPEN)));
      waitForNext();
    }
  }

  private void waitForNext() {
    long millis = context.options().backoffMillis() << Math.min(waits++, MOST_DOUBLINGS);
    dueNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(millis, LONGEST_BACKOFF_MILLIS));
  }

  private void finish() throws IOException {
    for (MoveRequest request : requests) {
      context.queue().remove(request);
      context.metrics().done();
    }
  }

  /** Those that were cancelled in the meantime fall out. */
  private void change(MoveState state, Optional<Obstacle> obstacle) throws IOException {
    List<MoveRequest> changed = new ArrayList<>();
    for (MoveRequest request : requests) {
      context.queue().change(request, state, obstacle).ifPresent(changed::add);
    }
    requests = changed;
  }
}
