package org.fastpath.tiered.datanode.move;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the requests of one file or directory, by runs of short steps.
 *
 * <p>A step asks the NameNode, plans moves and returns. No thread waits for a DataNode, for a free
 * slot or for a pause. The end of a move or a timer triggers the next step. A run lists a directory
 * once, one page per step. After that, it asks only about files whose moves have not settled. A
 * later run asks only about files that could not be moved.
 *
 * <p>A request ends when the NameNode has every replica in place after the request was made. A run
 * ends only requests that existed at its begin. A later request gets another run, so no change of
 * the policy is lost.
 */
final class InodeMove {
  /** The common parts of all runs. */
  interface Context {
    DFSClient client();

    ClusterView view() throws IOException;

    MoveDispatcher dispatcher();

    MoveQueue queue();

    RequesterRights rights();

    TierBackoff tiers();

    MoveMetrics metrics();

    MoveOptions options();

    /** Returns whether this process may not move any longer. */
    boolean isStopped();

    /** Schedules a step after a delay. */
    void schedule(Runnable step, long delayNanos);

    /** Reports the end of a run. */
    void ended();
  }

  private static final Logger LOG = LoggerFactory.getLogger(InodeMove.class);
  private static final long MAX_BACKOFF_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final int MAX_DOUBLINGS = 20;

  /** Limit of files of one directory in flight, so that other requests proceed too. */
  private static final int MAX_FILES = 64;

  /**
   * Limit of remembered files that could not be moved. If there are more, all files are listed
   * again.
   */
  private static final int MAX_BLOCKED = 10_000;

  private final long inode;
  private final Context context;
  private final AtomicBoolean stepping = new AtomicBoolean();
  private volatile boolean stepAgain;

  private volatile List<MoveRequest> requests = List.of();
  private volatile boolean running;
  private volatile boolean cancelled;
  private volatile long dueNanos = System.nanoTime();
  private volatile Set<StorageType> full = Set.of();

  // Used only by the thread that makes a step.
  private final Set<String> permitted = new HashSet<>();
  private final Set<Long> blocked = new HashSet<>();
  private boolean retriesBlocked;
  private int attempts;
  private int waits;
  private Run run;

  /** The state of a run. */
  private static final class Run {
    private final FileWalk walk;
    private final List<Long> again = new ArrayList<>();
    private final Map<Long, FileMove> files = new LinkedHashMap<>();
    private final Set<MoveFailureReason> failureReasons = EnumSet.noneOf(MoveFailureReason.class);
    private final Set<StorageType> full = EnumSet.noneOf(StorageType.class);
    private String failure = "";
    private boolean entered;
    private boolean gone;
    private boolean droppedMoves;
    private boolean shown;

    Run(FileWalk walk) {
      this.walk = walk;
    }
  }

  InodeMove(long inode, Context context) {
    this.inode = inode;
    this.context = context;
  }

  Context context() {
    return context;
  }

  boolean isRunning() {
    return running;
  }

  /** Returns whether a run shall begin now: its time has come, or a request is new. */
  boolean isDue(List<MoveRequest> current) {
    if (running) {
      return false;
    }
    if (hasNew(current)) {
      return true;
    }
    return System.nanoTime() - dueNanos >= 0
        && (context.tiers().isExhausted(full) || context.tiers().mayTry(full));
  }

  /** Begins a run for the current requests. */
  void begin(List<MoveRequest> current) {
    boolean isNew = hasNew(current);
    if (isNew) {
      attempts = 0;
      waits = 0;
      full = Set.of();
    }
    retriesBlocked = !isNew && !blocked.isEmpty() && blocked.size() < MAX_BLOCKED;
    List<MoveRequest> known = requests;
    requests = current.stream().map(request -> latest(request, known)).toList();
    cancelled = false;
    running = true;
    wake();
  }

  /**
   * Returns the latest state of a request. The last run may have changed it since the listing of
   * the queue.
   */
  private static MoveRequest latest(MoveRequest listed, List<MoveRequest> known) {
    return known.stream().filter(listed::isSameAs).findFirst().orElse(listed);
  }

  private boolean hasNew(List<MoveRequest> current) {
    List<MoveRequest> known = requests;
    return current.stream().anyMatch(request -> known.stream().noneMatch(request::isSameAs));
  }

  /** Ends the run after the moves that have begun. */
  void cancel() {
    cancelled = true;
  }

  boolean isStopped() {
    return cancelled || context.isStopped();
  }

  /** Triggers a step now. */
  void wake() {
    context.schedule(this::step, 0);
  }

  /** Makes one step. If another thread is making one, that thread makes one more. */
  private void step() {
    stepAgain = true;
    while (stepAgain && stepping.compareAndSet(false, true)) {
      try {
        stepAgain = false;
        stepSafely();
      } finally {
        stepping.set(false);
      }
    }
  }

  private void stepSafely() {
    if (!running) {
      return;
    }
    try {
      makeStep();
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.warn("The move of inode {} failed and is retried later: {}", inode, e.toString());
      waitForNext();
      if (run == null) {
        end();
      } else {
        run.droppedMoves = true;
      }
    }
    if (run != null && run.droppedMoves && !isMoving()) {
      end();
    }
  }

  private boolean isMoving() {
    return run.files.values().stream().anyMatch(FileMove::isMoving);
  }

  private void end() {
    if (run != null && run.droppedMoves) {
      // The run did not see all files, so the next one lists all again.
      blocked.clear();
    }
    run = null;
    running = false;
    context.ended();
  }

  private void makeStep() throws IOException {
    if (run == null) {
      run = new Run(new FileWalk(context.client()));
    }
    run.droppedMoves |= isStopped();
    if (run.droppedMoves) {
      return;
    }
    if (context.tiers().isExhausted(full) && giveUp()) {
      return;
    }
    if (!run.entered && !enter()) {
      return;
    }
    checkFiles();
    if (run.droppedMoves) {
      return;
    }
    if (run.files.size() < MAX_FILES && hasMore()) {
      next();
      wake();
    } else if (run.files.isEmpty()) {
      decide();
    } else {
      scheduleNextCheck();
    }
  }

  /**
   * Gives up files for a tier that was full in too many attempts, without further calls to the
   * NameNode.
   */
  private boolean giveUp() throws IOException {
    if (run.entered || !permitted.containsAll(requests.stream().map(MoveRequest::id).toList())) {
      return false;
    }
    run.failureReasons.add(MoveFailureReason.NO_TARGET);
    fail(Optional.of(MoveFailureReason.NO_TARGET));
    end();
    return true;
  }

  /** Finds the file or directory. Returns false if it is gone, which ends the run. */
  private boolean enter() throws IOException {
    run.entered = true;
    if (retriesBlocked) {
      run.again.addAll(blocked);
      blocked.clear();
      return true;
    }
    blocked.clear();
    HdfsLocatedFileStatus status = find(inode);
    if (status == null) {
      run.gone = true;
    } else if (checkRights(status)) {
      run.walk.enter(status, this::visit);
    } else {
      end();
      return false;
    }
    return true;
  }

  /** Rejects requests of users without write permission. Returns false if none is left. */
  private boolean checkRights(HdfsFileStatus status) throws IOException {
    List<MoveRequest> left = new ArrayList<>();
    for (MoveRequest request : requests) {
      if (permitted.contains(request.id()) || context.rights().mayMove(request, status)) {
        permitted.add(request.id());
        left.add(request);
      } else {
        LOG.warn(
            "Inode {} is not moved: user {} has no write permission on it",
            inode,
            request.requester());
        context
            .queue()
            .change(request, MoveState.FAILED, Optional.of(MoveFailureReason.NOT_PERMITTED));
        context.metrics().gaveUp();
      }
    }
    requests = List.copyOf(left);
    return !left.isEmpty();
  }

  private boolean hasMore() {
    return !run.again.isEmpty() || !run.walk.isDone();
  }

  private void next() throws IOException {
    if (run.again.isEmpty()) {
      run.walk.nextPage(this::visit);
      return;
    }
    HdfsLocatedFileStatus file = find(run.again.remove(run.again.size() - 1));
    if (file != null) {
      run.walk.enter(file, this::visit);
    }
  }

  private HdfsLocatedFileStatus find(long file) throws IOException {
    try {
      return context.client().getLocatedFileInfo(Inodes.path(file), false);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private void visit(HdfsLocatedFileStatus file) {
    FileMove move = new FileMove(file.getFileId(), this);
    plan(move, file);
  }

  private void plan(FileMove move, HdfsLocatedFileStatus file) {
    try {
      move.plan(file, context.view(), context.dispatcher());
    } catch (IOException e) {
      run.droppedMoves = true;
      run.failure = e.toString();
      waitForNext();
      return;
    }
    if (move.isMoving() || move.isUnsettled()) {
      run.files.put(move.inode(), move);
      if (!move.isMoving()) {
        move.pause();
      }
    } else {
      close(move);
    }
  }

  /** Closes a file that this run cannot move further. */
  private void close(FileMove move) {
    run.files.remove(move.inode());
    Set<MoveFailureReason> failureReasons = move.failureReasons();
    run.failureReasons.addAll(failureReasons);
    run.full.addAll(move.full());
    run.droppedMoves |= move.wasDropped();
    if (!move.failure().isEmpty()) {
      run.failure = move.failure();
    }
    if (!failureReasons.isEmpty() && blocked.size() < MAX_BLOCKED) {
      blocked.add(move.inode());
    }
  }

  /** Asks the NameNode about files whose moves have ended and whose pause is over. */
  private void checkFiles() throws IOException {
    for (FileMove move : List.copyOf(run.files.values())) {
      if (move.isMoving()) {
        showMoving();
      } else if (!move.isUnsettled()) {
        close(move);
      } else if (move.nanosUntilDue(System.nanoTime()) <= 0) {
        check(move);
      }
    }
  }

  private void check(FileMove move) throws IOException {
    if (move.hasMoved()) {
      attempts = 0;
      waits = 0;
    }
    HdfsLocatedFileStatus file = find(move.inode());
    if (file == null || file.getLocatedBlocks() == null) {
      run.files.remove(move.inode());
    } else {
      plan(move, file);
    }
  }

  private void showMoving() throws IOException {
    if (!run.shown) {
      run.shown = true;
      change(MoveState.MOVING, Optional.empty());
      if (requests.isEmpty()) {
        cancel();
        run.droppedMoves = true;
      }
    }
  }

  private void scheduleNextCheck() {
    long now = System.nanoTime();
    run.files.values().stream()
        .filter(move -> !move.isMoving())
        .mapToLong(move -> Math.max(0, move.nanosUntilDue(now)))
        .min()
        .ifPresent(delay -> context.schedule(this::step, delay));
  }

  private void decide() throws IOException {
    if (run.gone || run.failureReasons.isEmpty()) {
      removeRequests();
      full = Set.of();
      end();
      return;
    }
    Set<MoveFailureReason> failureReasons = run.failureReasons;
    full = Set.copyOf(run.full);
    if (!full.isEmpty()) {
      context.tiers().foundFull(full);
    }
    boolean mayPass = failureReasons.stream().anyMatch(o -> !o.isPermanent());
    if (failureReasons.stream().anyMatch(o -> !o.isPermanent() && !o.passes())) {
      attempts++;
    }
    Optional<MoveFailureReason> reason =
        failureReasons.stream().filter(o -> !o.passes()).findFirst();
    if (!mayPass || attempts >= context.options().attempts()) {
      fail(reason);
    } else {
      explain("tried again", reason, attempts == 1);
      change(MoveState.WAITING, reason.or(() -> Optional.of(MoveFailureReason.OPEN)));
      waitForNext();
    }
    end();
  }

  /**
   * Removes the requests. If one has another name, the next run takes its name from the queue. A
   * rename that failed here may have happened, and another process may have renamed it.
   */
  private void removeRequests() throws IOException {
    boolean known = true;
    for (MoveRequest request : requests) {
      if (context.queue().remove(request)) {
        context.metrics().done();
      } else {
        known = false;
      }
    }
    if (!known) {
      requests = List.of();
    }
  }

  private void fail(Optional<MoveFailureReason> reason) throws IOException {
    explain("given up", reason, true);
    change(MoveState.FAILED, reason);
    context.metrics().gaveUp();
  }

  private void explain(String end, Optional<MoveFailureReason> reason, boolean isNews) {
    if (isNews) {
      LOG.warn(
          "Inode {}, {}: {}. {}",
          inode,
          end,
          reason.orElse(MoveFailureReason.OPEN).description(),
          run.failure);
    }
  }

  private void waitForNext() {
    long millis = context.options().backoffMillis() << Math.min(waits++, MAX_DOUBLINGS);
    dueNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(millis, MAX_BACKOFF_MILLIS));
  }

  /**
   * Changes the state of the requests, one after the other. Cancelled requests are dropped. After a
   * failure, the requests that were changed keep their new names.
   */
  private void change(MoveState state, Optional<MoveFailureReason> failureReason)
      throws IOException {
    List<MoveRequest> before = requests;
    List<MoveRequest> after = new ArrayList<>();
    int done = 0;
    try {
      for (MoveRequest request : before) {
        context.queue().change(request, state, failureReason).ifPresent(after::add);
        done++;
      }
    } finally {
      after.addAll(before.subList(done, before.size()));
      requests = List.copyOf(after);
    }
  }
}
