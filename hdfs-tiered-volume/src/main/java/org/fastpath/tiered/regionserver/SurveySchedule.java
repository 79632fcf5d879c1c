package org.fastpath.tiered.regionserver;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;

/**
 * Which directories the keeper of tiers lists in a round, and what it has seen in each.
 *
 * <p>A directory is listed if HBase reports that its region's files have changed, if rules or the
 * class of its reads have, if a file gets old enough for a rule, if a request for one of its files
 * has ended, or if files wait for a request that may be made now. Files of regions that no server
 * reports of, and files in the archive, change unnoticed: their directories are listed after a
 * round, and as long as they are the same after four times as long, up to the time after which
 * every directory is listed. Changes by hand are found then.
 *
 * <p>Listings beyond the {@link CallBudget} wait for the next rounds. The first table that had to
 * wait is the first one then, so that none waits for ever. For one thread.
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
  private TableName firstRefused;
  private long refused;
  private Directory current;

  /** What is known of requests. */
  interface Waiting {
    /** Whether a request for a file is neither done nor given up. */
    boolean isOpen(long inode);

    /** Whether a request for the tier of a policy may be made. */
    boolean hasRoom(String policy);
  }

  /** What was seen in a directory. */
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

  /** A round begins. Returns whether all that is known of files should be newer by now. */
  boolean beginRound(long millis) {
    nowMillis = millis;
    firstRefused = null;
    refused = 0;
    seen.clear();
    if (current != null) {
      // The last round broke off while it listed that directory.
      current.begin();
      current.dueMillis = 0;
      current = null;
    }
    boolean newGeneration = millis - generationMillis >= 2 * refreshMillis;
    if (newGeneration) {
      generationMillis = millis;
    }
    return newGeneration;
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
      if (firstRefused == null) {
        firstRefused = inputs.table();
      }
      return false;
    }
    current = known == null ? new Directory() : known;
    total.add(current.tally, -1);
    current.begin();
    return true;
  }

  /** A file was seen in the directory that is being listed. */
  void saw(RestingFile file) {
    current.tally.add(file);
    current.contentNow += 31 * file.inode() + file.policy().hashCode();
  }

  /** Its move was requested, now or before. */
  void requested(RestingFile file) {
    current.requested(file.inode());
    current.tally.waiting();
  }

  /** Its move cannot be requested before others are done. */
  void waits(RestingFile file) {
    current.waitsForNow.add(file.wanted().orElse(""));
    current.tally.waiting();
  }

  /** Its move was given up, and is to be requested again at that time. */
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

  /** A round has come to its end: directories that are gone are forgotten. */
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

  /** All files as they were seen last. */
  KeeperMetrics.Tally total() {
    return total.copy();
  }

  /** The table that had to wait first; null if none had to. */
  TableName firstRefused() {
    return firstRefused;
  }

  /** Directories that had to wait. */
  long refusedCount() {
    return refused;
  }
}
