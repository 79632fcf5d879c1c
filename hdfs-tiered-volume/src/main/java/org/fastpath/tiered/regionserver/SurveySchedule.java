package org.fastpath.tiered.regionserver;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which directories the keeper of tiers lists in a round, and keeps the findings of each.
 *
 * <p>A directory is listed in these cases:
 *
 * <ul>
 *   <li>HBase reports a change of its region's files.
 *   <li>Rules or the class of its reads have changed.
 *   <li>A file becomes old enough for a rule.
 *   <li>A request for one of its files has ended.
 *   <li>Files wait for a request that may be made now.
 *   <li>The clock was set back to a time before the last listing.
 * </ul>
 *
 * <p>Files of regions without a report, and files in the archive, change without notice. Their
 * directories are listed after one round. While nothing changes, the pause grows fourfold each
 * time, up to the time after which every directory is listed. Manual changes are found then.
 *
 * <p>Listings beyond the {@link CallBudget} wait for the next rounds. The first one that waits is
 * the first one of the next round, so none waits for ever. Not thread-safe.
 */
final class SurveySchedule implements TierSurvey.Gate {
  private static final int LONGER = 4;
  private static final long[] NONE = {};

  private final long periodMillis;
  private final long refreshMillis;
  private final CallBudget budget;
  private final Waiting waiting;
  private final Map<TierSurvey.Place, Directory> directories = new HashMap<>();
  private final KeeperMetrics.Tally total = new KeeperMetrics.Tally();
  private final Set<TierSurvey.Place> seen = new HashSet<>();

  private long nowMillis;
  private long generationMillis;
  private Optional<TierSurvey.Place> first = Optional.empty();
  private Optional<TierSurvey.Place> firstRefused = Optional.empty();
  private long refused;
  private Directory current;

  /** The state of requests. */
  interface Waiting {
    /** Returns whether a request for a file is open. */
    boolean isOpen(long inode);

    /** Returns whether a request for the tier of a policy may be made. */
    boolean hasRoom(String policy);
  }

  /** The findings in a directory. */
  private static final class Directory {
    private KeeperMetrics.Tally tally = new KeeperMetrics.Tally();
    private long[] requested = NONE;
    private Set<String> waitsFor = Set.of();
    private long fingerprint;
    private long content;
    private long listedMillis;
    private long dueMillis;
    private long pauseMillis;
    private long retryMillis = Long.MAX_VALUE;

    private int requestedCount;
    private long contentNow;
    private Set<String> waitsForNow = new HashSet<>();

    boolean isDue(TierSurvey.Inputs inputs, long nowMillis, Waiting waiting) {
      return fingerprint != inputs.fingerprint()
          || nowMillis >= dueMillis
          || nowMillis < listedMillis
          || nowMillis >= retryMillis
          || Arrays.stream(requested).anyMatch(inode -> !waiting.isOpen(inode))
          || waitsFor.stream().anyMatch(waiting::hasRoom);
    }

    void begin() {
      tally = new KeeperMetrics.Tally();
      requested = new long[4];
      requestedCount = 0;
      contentNow = 0;
      waitsForNow = new HashSet<>();
      retryMillis = Long.MAX_VALUE;
    }

    void end() {
      requested = Arrays.copyOf(requested, requestedCount);
      waitsFor = Set.copyOf(waitsForNow);
    }

    void requested(long inode) {
      if (requestedCount == requested.length) {
        requested = Arrays.copyOf(requested, 2 * requestedCount);
      }
      requested[requestedCount++] = inode;
    }
  }

  SurveySchedule(long periodMillis, long refreshMillis, CallBudget budget, Waiting waiting) {
    this.periodMillis = periodMillis;
    this.refreshMillis = Math.max(periodMillis, refreshMillis);
    this.budget = budget;
    this.waiting = waiting;
  }

  /** Begins a round. Returns whether a new generation of file histories begins. */
  boolean beginRound(long millis) {
    nowMillis = millis;
    first = firstRefused;
    firstRefused = Optional.empty();
    refused = 0;
    seen.clear();
    if (current != null) {
      // The last round ended during the listing of this directory.
      current.begin();
      current.dueMillis = 0;
      current = null;
    }
    boolean newGeneration =
        millis - generationMillis >= 2 * refreshMillis || millis < generationMillis;
    if (newGeneration) {
      generationMillis = millis;
    }
    return newGeneration;
  }

  /** Returns the first directory that had to wait in the last round. */
  @Override
  public Optional<TierSurvey.Place> first() {
    return first;
  }

  @Override
  public boolean enters(TierSurvey.Place place, TierSurvey.Inputs inputs) {
    seen.add(place);
    Directory known = directories.get(place);
    if (known != null && !known.isDue(inputs, nowMillis, waiting)) {
      return false;
    }
    if (budget.isSpent()) {
      refused++;
      if (firstRefused.isEmpty()) {
        firstRefused = Optional.of(place);
      }
      return false;
    }
    current = known == null ? new Directory() : known;
    total.add(current.tally, -1);
    current.begin();
    return true;
  }

  /** Adds a file of the directory that is being listed. */
  void saw(RestingFile file) {
    current.tally.add(file);
    current.contentNow += 31 * file.inode() + file.policy().hashCode();
  }

  /** Reports that the file's move is requested. */
  void requested(RestingFile file) {
    current.requested(file.inode());
    current.tally.waiting();
  }

  /** Reports that the file's request must wait for others. */
  void waits(RestingFile file) {
    current.waitsForNow.add(file.wanted().orElse(""));
    current.tally.waiting();
  }

  /** Reports that a failed move shall be requested again at that time. */
  void retries(long millis) {
    current.retryMillis = Math.min(current.retryMillis, millis);
    current.tally.waiting();
  }

  @Override
  public void left(TierSurvey.Place place, TierSurvey.Inputs inputs, long nextMillis) {
    Directory directory = current;
    directory.end();
    total.add(directory.tally, 1);
    boolean same =
        directory.listedMillis > 0
            && directory.content == directory.contentNow
            && directory.fingerprint == inputs.fingerprint();
    if (inputs.isLive()) {
      directory.pauseMillis = refreshMillis;
    } else {
      directory.pauseMillis =
          same ? Math.min(refreshMillis, LONGER * directory.pauseMillis) : periodMillis;
    }
    directory.content = directory.contentNow;
    directory.fingerprint = inputs.fingerprint();
    directory.listedMillis = nowMillis;
    directory.dueMillis = Math.min(nowMillis + directory.pauseMillis, nextMillis);
    directories.put(place, directory);
    current = null;
  }

  /** Ends a round. Directories that are gone are dropped. */
  void endRound() {
    directories
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = !seen.contains(entry.getKey());
              if (gone) {
                total.add(entry.getValue().tally, -1);
              }
              return gone;
            });
  }

  /** Returns the latest findings of all files. */
  KeeperMetrics.Tally total() {
    return total.copy();
  }

  /** Returns the number of directories that had to wait. */
  long refusedCount() {
    return refused;
  }
}
