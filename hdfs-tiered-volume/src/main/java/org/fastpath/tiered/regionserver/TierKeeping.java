package org.fastpath.tiered.regionserver;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.fastpath.tiered.datanode.move.MoveRequested;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rounds of the keeper of tiers. A round surveys possible changes, sets the wanted policies of
 * files, and requests their moves. {@link SurveySchedule} selects the directories. {@link
 * PolicyWindows} limits the requests, {@link CallBudget} the calls to the NameNode.
 *
 * <p>A round begins with the first directory that had to wait in the last round. Not thread-safe.
 */
final class TierKeeping implements SurveySchedule.Waiting {
  private static final Logger LOG = LoggerFactory.getLogger(TierKeeping.class);

  /** Limit of failed requests whose files are checked in a round. */
  private static final int MAX_GONE_CHECKS = 20;

  /** The calls of a request to the NameNode: two reads, and a file with an attribute. */
  private static final int REQUEST_CALLS = 5;

  /** The queue of moves. */
  interface Moves {
    Map<Long, MoveRequested> requested() throws IOException;

    void submit(Path file) throws IOException;

    int removeGone(int most) throws IOException;
  }

  private final DistributedFileSystem fs;
  private final Moves moves;
  private final KeeperOptions options;
  private final KeeperMetrics metrics;
  private final CallBudget budget;
  private final TierSurvey survey;
  private final SurveySchedule schedule;
  private final PolicyWindows windows;
  private final LongSupplier clock;
  private final BooleanSupplier closed;
  private Map<Long, MoveRequested> requested = new HashMap<>();
  private boolean refused;

  /**
   * @param clock milliseconds
   * @param closed whether a round shall end early
   */
  TierKeeping(
      DistributedFileSystem fs,
      Moves moves,
      KeeperOptions options,
      KeeperMetrics metrics,
      CallBudget budget,
      TierSurvey survey,
      LongSupplier clock,
      BooleanSupplier closed) {
    this.fs = fs;
    this.moves = moves;
    this.options = options;
    this.metrics = metrics;
    this.budget = budget;
    this.survey = survey;
    this.clock = clock;
    this.closed = closed;
    windows = new PolicyWindows(options.maxRequests());
    schedule = new SurveySchedule(options.periodMillis(), options.refreshMillis(), budget, this);
  }

  /** Makes a round. */
  void round(Collection<TableDescriptor> tables) throws IOException {
    long begin = System.nanoTime();
    budget.beginRound();
    budget.take(1);
    requested = moves.requested();
    windows.beginRound(requested);
    if (schedule.beginRound(clock.getAsLong())) {
      survey.beginGeneration();
    }
    survey.run(tables, table -> !closed.getAsBoolean(), schedule, this::keep);
    if (requested.values().stream().anyMatch(request -> !request.isOpen())) {
      budget.take(MAX_GONE_CHECKS);
      moves.removeGone(MAX_GONE_CHECKS);
    }
    if (!closed.getAsBoolean()) {
      schedule.endRound();
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      metrics.showCalls(budget.taken(), schedule.refusedCount());
      metrics.show(schedule.total(), millis, survey.misconfigured());
    }
  }

  @Override
  public boolean isOpen(long inode) {
    MoveRequested request = requested.get(inode);
    return request != null && request.isOpen();
  }

  @Override
  public boolean hasRoom(String policy) {
    return windows.hasRoom(policy);
  }

  private void keep(RestingFile file) throws FileNotFoundException {
    schedule.saw(file);
    if (!file.isMisplaced() || closed.getAsBoolean()) {
      return;
    }
    try {
      keepSafely(file);
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      metrics.failedFile();
      schedule.retries(clock.getAsLong() + options.retryMillis());
      if (!refused) {
        LOG.warn(
            "The policy or the move request of {} failed, so it stays where it is; "
                + "further cases are only counted",
            file.path(),
            e);
      }
      refused = true;
    }
  }

  private void keepSafely(RestingFile file) throws IOException {
    String policy = file.wanted().orElse("");
    MoveRequested earlier = requested.get(file.inode());
    if (file.misplaced().isEmpty()) {
      change(file);
    } else if (earlier != null && earlier.isOpen()) {
      windows.learn(file.inode(), policy);
      change(file);
      schedule.requested(file);
    } else if (earlier != null && clock.getAsLong() < retryMillis(earlier)) {
      windows.learn(file.inode(), policy);
      change(file);
      schedule.retries(retryMillis(earlier));
    } else if (windows.hasRoom(policy)) {
      change(file);
      budget.take(REQUEST_CALLS);
      moves.submit(file.path());
      windows.requested(file.inode(), policy);
      metrics.requested();
      schedule.requested(file);
    } else {
      schedule.waits(file);
    }
  }

  /** Returns the time of the next request. It is now if the clock of the last one was ahead. */
  private long retryMillis(MoveRequested earlier) {
    long now = clock.getAsLong();
    return earlier.madeMillis() > now ? now : earlier.madeMillis() + options.retryMillis();
  }

  private void change(RestingFile file) throws IOException {
    switch (file.change()) {
      case SET -> {
        budget.take(1);
        fs.setStoragePolicy(file.path(), file.wanted().orElseThrow());
      }
      case UNSET -> {
        budget.take(1);
        fs.unsetStoragePolicy(file.path());
      }
      case NONE -> {
        return;
      }
    }
    metrics.policyChanged();
  }
}
