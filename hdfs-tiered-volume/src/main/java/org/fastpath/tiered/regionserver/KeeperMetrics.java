package org.fastpath.tiered.regionserver;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;

/**
 * The metrics of an HMaster's {@link TierKeeper}: the source {@code TierKeeping}, and {@code
 * TierKeepingTables} with a record for each table and type of volume. One thread writes, any thread
 * reads.
 */
final class KeeperMetrics implements AutoCloseable {
  private final AggregateSource tables =
      Metrics.aggregate(
          "TierKeepingTables",
          "Bytes of tables with rules on each type of volume",
          "namespace",
          "table",
          "storageType");
  private final Registration registration;
  private final Counter rounds;
  private final Counter failedRounds;
  private final Counter policyChanges;
  private final Counter requests;
  private final Counter failedFiles;
  private final Map<Place, Shown> shown = new HashMap<>();

  private volatile Tally last = new Tally();
  private volatile long lastMillis;
  private volatile long misconfigured;
  private volatile long lastCalls;
  private volatile long unlisted;

  /** The files of a table on one type of volume. */
  private record Place(TableName table, StorageType type) {}

  /** The values of a record of a place. */
  private static final class Shown {
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong misplaced = new AtomicLong();
    private final Registration registration;

    Shown(AggregateSource tables, Place place) {
      SourceBuilder builder =
          tables.pseudoSource(
              place.table().getNamespaceAsString(),
              place.table().getQualifierAsString(),
              place.type().name());
      builder.gauge("storedBytes", "Bytes on such volumes, all replicas together", stored::get);
      builder.gauge("misplacedBytes", "Of these, misplaced bytes", misplaced::get);
      registration = builder.register();
    }
  }

  /** The findings of a round. Not thread-safe until it is shown. */
  static final class Tally {
    private final Map<RestingFile.State, long[]> files = new EnumMap<>(RestingFile.State.class);
    private final Map<Place, long[]> places = new HashMap<>();
    private long misplacedFiles;
    private long waitingFiles;

    void add(RestingFile file) {
      long[] sum = files.computeIfAbsent(file.state(), state -> new long[2]);
      sum[0]++;
      sum[1] += file.bytes();
      file.stored().forEach((type, bytes) -> place(file, type)[0] += bytes);
      file.misplaced().forEach((type, bytes) -> place(file, type)[1] += bytes);
      if (file.isMisplaced()) {
        misplacedFiles++;
      }
    }

    private long[] place(RestingFile file, StorageType type) {
      return places.computeIfAbsent(new Place(file.table(), type), place -> new long[2]);
    }

    /** Counts a misplaced file without a request in this round. */
    void waiting() {
      waitingFiles++;
    }

    /** Adds or subtracts another tally. */
    void add(Tally other, int sign) {
      other.files.forEach((state, sum) -> add(files, state, sum, sign));
      other.places.forEach((place, sum) -> add(places, place, sum, sign));
      misplacedFiles += sign * other.misplacedFiles;
      waitingFiles += sign * other.waitingFiles;
    }

    private static <K> void add(Map<K, long[]> sums, K key, long[] sum, int sign) {
      long[] own = sums.computeIfAbsent(key, any -> new long[2]);
      own[0] += sign * sum[0];
      own[1] += sign * sum[1];
      if (own[0] == 0 && own[1] == 0) {
        sums.remove(key);
      }
    }

    /** Returns a copy. */
    Tally copy() {
      Tally copy = new Tally();
      copy.add(this, 1);
      return copy;
    }

    private long files(RestingFile.State state) {
      return files.getOrDefault(state, new long[2])[0];
    }

    private long bytes(RestingFile.State state) {
      return files.getOrDefault(state, new long[2])[1];
    }

    private long misplacedBytes() {
      return places.values().stream().mapToLong(place -> place[1]).sum();
    }
  }

  KeeperMetrics() {
    SourceBuilder builder =
        Metrics.source("TierKeeping", "Complete files, kept on the tiers that rules name");
    for (RestingFile.State state : RestingFile.State.values()) {
      String name = camelCase(state);
      builder.gauge(name + "FileCount", "Files: " + words(state), () -> last.files(state));
      builder.gauge(name + "Bytes", "Bytes of these, all replicas", () -> last.bytes(state));
    }
    builder.gauge(
        "misplacedFileCount",
        "Files with a wrong policy or misplaced blocks",
        () -> last.misplacedFiles);
    builder.gauge("misplacedBytes", "Bytes of misplaced replicas", () -> last.misplacedBytes());
    builder.gauge(
        "waitingFileCount",
        "Misplaced files whose move is requested or waits for others",
        () -> last.waitingFiles);
    builder.gauge("misconfiguredTableCount", "Tables whose rules are wrong", () -> misconfigured);
    builder.gauge("lastRoundMillis", "Duration of the last round", () -> lastMillis);
    builder.gauge("lastRoundCallCount", "Calls to the NameNode in the last round", () -> lastCalls);
    builder.gauge(
        "unlistedDirectoryCount",
        "Directories that wait for a listing in a later round",
        () -> unlisted);
    rounds = builder.counter("roundCount", "Completed rounds");
    failedRounds = builder.counter("failedRoundCount", "Failed rounds");
    policyChanges = builder.counter("policyChangeCount", "Files whose policy was changed");
    requests = builder.counter("moveRequestCount", "Requested moves");
    failedFiles = builder.counter("failedFileCount", "Policies or requests that HDFS rejected");
    registration = builder.register();
  }

  private static String words(RestingFile.State state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String camelCase(RestingFile.State state) {
    String[] words = words(state).split(" ");
    StringBuilder name = new StringBuilder(words[0]);
    for (int i = 1; i < words.length; i++) {
      name.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
    }
    return name.toString();
  }

  /** Shows the calls of a round to the NameNode, and the directories left to later rounds. */
  void showCalls(long calls, long unlistedDirectories) {
    lastCalls = calls;
    unlisted = unlistedDirectories;
  }

  /** Shows the results of a completed round. */
  void show(Tally tally, long millis, int misconfiguredTables) {
    last = tally;
    lastMillis = millis;
    misconfigured = misconfiguredTables;
    Set<Place> gone = new HashSet<>(shown.keySet());
    gone.removeAll(tally.places.keySet());
    gone.forEach(place -> shown.remove(place).registration.close());
    tally.places.forEach(
        (place, bytes) -> {
          Shown record = shown.computeIfAbsent(place, p -> new Shown(tables, p));
          record.stored.set(bytes[0]);
          record.misplaced.set(bytes[1]);
        });
    rounds.increment();
  }

  void failedRound() {
    failedRounds.increment();
  }

  void policyChanged() {
    policyChanges.increment();
  }

  void requested() {
    requests.increment();
  }

  void failedFile() {
    failedFiles.increment();
  }

  @Override
  public void close() {
    registration.close();
    tables.close();
  }
}
