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
 * Brings the requests of one file or directory to their end, by runs of short steps.
 *
 * <p>A step asks the NameNode, plans moves and returns: no thread waits for a DataNode, for a free
 * slot or for a pause. The end of a move and a timer have the next step made. A directory is listed
 * once in a run, a page a step; after that only the files are asked about whose moves have not
 * settled, and in a later run only those that could not be moved.
 *
 * <p>A request ends when the NameNode, asked after the request was made, has every replica in
 * place. One that comes during a run is not among those that the run ends, so that it gets a run of
 * its own: no change of the policy is lost, however late it comes.
 */
final class InodeMove {
  /** What all runs share. */
  interface Context {
    DFSClient client();

    ClusterView view() throws IOException;

    MoveDispatcher dispatcher();

    MoveQueue queue();

    RequesterRights rights();

    TierBackoff tiers();

    MoveMetrics metrics();

    MoveOptions options();

    /** Whether this process may not move any longer. */
    boolean isStopped();

    /** Has a step made after a delay. */
    void schedule(Runnable step, long delayNanos);

    /** A run has ended. */
    void ended();
  }

  private static final Logger LOG = LoggerFactory.getLogger(InodeMove.class);
  private static final long LONGEST_BACKOFF_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final int MOST_DOUBLINGS = 20;

  /** Files of a directory that are on their way at a time, so that other requests get a turn. */
  private static final int MOST_FILES = 64;

  /** Files that could not be moved and are remembered; if there are more, all are listed again. */
  private static final int MOST_BLOCKED = 10_000;

  private final long inode;
  private final Context context;
  private final AtomicBoolean stepping = new AtomicBoolean();
  private volatile boolean stepAgain;

  private volatile List<MoveRequest> requests = List.of();
  private volatile boolean running;
  private volatile boolean cancelled;
  private volatile long dueNanos = System.nanoTime();
  private volatile Set<StorageType> full = Set.of();

  // Of the thread that makes a step.
  private final Set<String> permitted = new HashSet<>();
  private final Set<Long> blocked = new HashSet<>();
  private boolean retriesBlocked;
  private int attempts;
  private int waits;
  private Run run;

  /** What a run knows. */
  private static final class Run {
    private final FileWalk walk;
    private final List<Long> again = new ArrayList<>();
    private final Map<Long, FileMove> files = new LinkedHashMap<>();
    private final Set<Obstacle> obstacles = EnumSet.noneOf(Obstacle.class);
    private final Set<StorageType> full = EnumSet.noneOf(StorageType.class);
    private String failure = "";
    private boolean entered;
    private boolean gone;
    private boolean cutShort;
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

  /** Whether a run is to begin now: its time has come, or there is a request that it knows not. */
  boolean isDue(List<MoveRequest> current) {
    if (running) {
      return false;
    }
    if (hasNew(current)) {
      return true;
    }
    return System.nanoTime() - dueNanos >= 0
        && (context.tiers().isHopeless(full) || context.tiers().mayTry(full));
  }

  /** Begins a run, which ends the requests that there are now. */
  void begin(List<MoveRequest> current) {
    boolean isNew = hasNew(current);
    if (isNew) {
      attempts = 0;
      waits = 0;
      full = Set.of();
    }
    retriesBlocked = !isNew && !blocked.isEmpty() && blocked.size() < MOST_BLOCKED;
    List<MoveRequest> known = requests;
    requests = current.stream().map(request -> latest(request, known)).toList();
    cancelled = false;
    running = true;
    wake();
  }

  /** What the last run has made of a request: it may have changed since the queue was listed. */
  private static MoveRequest latest(MoveRequest listed, List<MoveRequest> known) {
    return known.stream().filter(listed::isSameAs).findFirst().orElse(listed);
  }

  private boolean hasNew(List<MoveRequest> current) {
    List<MoveRequest> known = requests;
    return current.stream().anyMatch(request -> known.stream().noneMatch(request::isSameAs));
  }

  /** Lets the run end with the moves that have begun. */
  void cancel() {
    cancelled = true;
  }

  boolean isStopped() {
    return cancelled || context.isStopped();
  }

  /** Has a step made now. */
  void wake() {
    context.schedule(this::step, 0);
  }

  /** Makes one step; if another thread makes one, that one makes another. */
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
      LOG.warn("Inode {} is tried again later: {}", inode, e.toString());
      waitForNext();
      if (run == null) {
        end();
      } else {
        run.cutShort = true;
      }
    }
    if (run != null && run.cutShort && !isMoving()) {
      end();
    }
  }

  private boolean isMoving() {
    return run.files.values().stream().anyMatch(FileMove::isMoving);
  }

  private void end() {
    run = null;
    running = false;
    context.ended();
  }

  private void makeStep() throws IOException {
    if (run == null) {
      run = new Run(new FileWalk(context.client()));
    }
    run.cutShort |= isStopped();
    if (run.cutShort) {
      return;
    }
    if (context.tiers().isHopeless(full) && giveUp()) {
      return;
    }
    if (!run.entered && !enter()) {
      return;
    }
    checkFiles();
    if (run.cutShort) {
      return;
    }
    if (run.files.size() < MOST_FILES && hasMore()) {
      next();
      wake();
    } else if (run.files.isEmpty()) {
      decide();
    } else {
      scheduleNextCheck();
    }
  }

  /** Files in a tier that was tried in vain so often: no more is asked of the NameNode. */
  private boolean giveUp() throws IOException {
    if (run.entered || !permitted.containsAll(requests.stream().map(MoveRequest::id).toList())) {
      return false;
    }
    run.obstacles.add(Obstacle.NO_TARGET);
    fail(Optional.of(Obstacle.NO_TARGET));
    end();
    return true;
  }

  /** Begins to look; false if nothing is to be looked at, which has ended the run. */
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

  /** Gives up requests of users who may not write the file; false if none is left. */
  private boolean checkRights(HdfsFileStatus status) throws IOException {
    List<MoveRequest> left = new ArrayList<>();
    for (MoveRequest request : requests) {
      if (permitted.contains(request.id()) || context.rights().mayMove(request, status)) {
        permitted.add(request.id());
        left.add(request);
      } else {
        LOG.warn("Inode {} is not moved for {}, who may not write it", inode, request.requester());
        context.queue().change(request, MoveState.FAILED, Optional.of(Obstacle.NOT_PERMITTED));
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
      run.cutShort = true;
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

  /** Nothing more can be done about it in this run. */
  private void close(FileMove move) {
    run.files.remove(move.inode());
    Set<Obstacle> obstacles = move.obstacles();
    run.obstacles.addAll(obstacles);
    run.full.addAll(move.full());
    run.cutShort |= move.wasCutShort();
    if (!move.failure().isEmpty()) {
      run.failure = move.failure();
    }
    if (!obstacles.isEmpty() && blocked.size() < MOST_BLOCKED) {
      blocked.add(move.inode());
    }
  }

  /** Asks about files whose moves have ended and whose time has come. */
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
        run.cutShort = true;
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
    if (run.gone || run.obstacles.isEmpty()) {
      for (MoveRequest request : requests) {
        context.queue().remove(request);
        context.metrics().done();
      }
      full = Set.of();
      end();
      return;
    }
    Set<Obstacle> obstacles = run.obstacles;
    full = Set.copyOf(run.full);
    if (!full.isEmpty()) {
      context.tiers().foundFull(full);
    }
    boolean mayPass = obstacles.stream().anyMatch(o -> !o.isPermanent());
    if (obstacles.stream().anyMatch(o -> !o.isPermanent() && !o.passes())) {
      attempts++;
    }
    Optional<Obstacle> reason = obstacles.stream().filter(o -> !o.passes()).findFirst();
    if (!mayPass || attempts >= context.options().attempts()) {
      fail(reason);
    } else {
      explain("tried again", reason, attempts == 1);
      change(MoveState.WAITING, reason.or(() -> Optional.of(Obstacle.OPEN)));
      waitForNext();
    }
    end();
  }

  private void fail(Optional<Obstacle> reason) throws IOException {
    explain("given up", reason, true);
    change(MoveState.FAILED, reason);
    context.metrics().gaveUp();
  }

  private void explain(String end, Optional<Obstacle> reason, boolean isNews) {
    if (isNews) {
      LOG.warn(
          "Inode {}, {}: {}. {}",
          inode,
          end,
          reason.orElse(Obstacle.OPEN).description(),
          run.failure);
    }
  }

  private void waitForNext() {
    long millis = context.options().backoffMillis() << Math.min(waits++, MOST_DOUBLINGS);
    dueNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(millis, LONGEST_BACKOFF_MILLIS));
  }

  /** Those that were cancelled in the meantime fall out. */
  private void change(MoveState state, Optional<Obstacle> obstacle) throws IOException {
    List<MoveRequest> changed = new ArrayList<>();
    for (MoveRequest request : requests) {
      context.queue().change(request, state, obstacle).ifPresent(changed::add);
    }
    requests = List.copyOf(changed);
  }
}
