package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Role;
import org.fastpath.tiered.datanode.move.MoveCommand;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends SIGKILL to a RegionServer, a DataNode, the HMaster and a mover, in turn, while rows are
 * written. It strikes during flushes, compactions, archiving, moves and deletions of other tables.
 * At the end, each acknowledged row exists, each file is on the tier of its rule, and no other file
 * is left. {@code -Dnightly=true} kills 60 times with each tracker of store files, else the test
 * kills twice with one of them; {@code kills.seed} repeats the pauses before kills, though not the
 * order in which threads run.
 */
class TierKillsTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final int KILLS = NIGHTLY ? 60 : 2;
  private static final long SEED = Long.getLong("kills.seed", System.nanoTime());
  private static final int BATCH = 20;
  private static final long PAUSE_MILLIS = 100;
  private static final int MAX_WAIT_MILLIS = 700;
  private static final int GETS = 500;

  private final Random random = new Random(SEED);
  private final Queue<Integer> acknowledged = new ConcurrentLinkedQueue<>();
  private final List<TableName> doomed = new ArrayList<>();
  private TierCluster cluster;
  private TableName name;

  /** The process that is killed. */
  private enum Victim {
    REGIONSERVER,
    MOVER,
    DATANODE,
    MASTER
  }

  /** The operation in progress. */
  private enum Work {
    FLUSH,
    MOVE,
    COMPACTION,
    ARCHIVE,
    DELETION
  }

  /** Writes rows, and knows which of them HBase has acknowledged. */
  private final class Writer implements AutoCloseable {
    private final Thread thread = new Thread(this::write, "writer");
    private volatile boolean enough;

    Writer() {
      thread.start();
    }

    private void write() {
      for (int row = 0; !enough; row += BATCH) {
        try {
          cluster.put(name, row, BATCH, System.currentTimeMillis());
          for (int i = row; i < row + BATCH; i++) {
            acknowledged.add(i);
          }
          Thread.sleep(PAUSE_MILLIS);
        } catch (IOException e) {
          System.out.println("rows from " + row + " are not acknowledged: " + e);
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    @Override
    public void close() throws InterruptedException {
      enough = true;
      thread.join();
    }
  }

  /** A mover in a process of its own, started again when it is killed. */
  private final class Movers implements AutoCloseable {
    private final Thread thread = new Thread(this::serve, "movers");
    private volatile boolean enough;

    Movers() {
      thread.start();
    }

    private void serve() {
      while (!enough) {
        cluster
            .processes()
            .runClient(
                MoveCommand.class.getName(),
                List.of("--serve"),
                options -> options.prependToClasspath(Path.of("target", "classes")).quickStart(),
                line -> {});
      }
    }

    void kill() throws Exception {
      Eventually.holds(() -> assertThat(processes()).isNotEmpty());
      processes().forEach(ProcessHandle::destroyForcibly);
    }

    /** Clients of this cluster among our children, which other tests have, too. */
    private List<ProcessHandle> processes() {
      String clients =
          cluster.processes().daemons().get(0).confDir().resolveSibling("client-").toString();
      return ProcessHandle.current()
          .children()
          .filter(child -> child.info().commandLine().orElse("").contains(clients))
          .toList();
    }

    @Override
    public void close() throws Exception {
      enough = true;
      kill();
      thread.join();
    }
  }

  static Stream<String> trackers() {
    return NIGHTLY ? Stream.of("DEFAULT", "FILE") : Stream.of("FILE");
  }

  @ParameterizedTest
  @MethodSource("trackers")
  void nothingIsLostMisplacedOrLeftOver(String tracker, @TempDir Path directory) throws Exception {
    System.out.println("kills.seed " + SEED);
    name = TableName.valueOf("kills-" + tracker);
    try (TierCluster started = start(directory)) {
      cluster = started;
      create(name, tracker);
      ExecutorService background = Executors.newCachedThreadPool();
      try (Writer writer = new Writer();
          Movers movers = new Movers()) {
        Eventually.holds(() -> assertThat(acknowledged).isNotEmpty());
        for (int i = 0; i < KILLS; i++) {
          // As the numbers of both have no common factor, each meets each.
          Victim victim = Victim.values()[i % Victim.values().length];
          Work work = Work.values()[i % Work.values().length];
          if (work == Work.DELETION) {
            prepareDeletion(tracker);
          }
          TableName newest = doomed.isEmpty() ? name : doomed.get(doomed.size() - 1);
          background.execute(() -> begin(work, newest));
          Thread.sleep(random.nextInt(MAX_WAIT_MILLIS));
          kill(victim, movers);
          System.out.printf("%d: %s at %s, %d rows%n", i, victim, work, acknowledged.size());
          if (victim == Victim.MOVER) {
            requireRecovered();
          }
        }
      } finally {
        background.shutdownNow();
      }
      requireNothingLeftOver();
      requireRecovered();
    }
  }

  private static TierCluster start(Path directory) throws IOException {
    return TierCluster.start(
        TierCluster.builder(directory)
            .dataNodes(2)
            .conf("dfs.fastpath.move.bandwidth", "4m")
            .conf("hbase.client.pause", "50")
            .conf("hbase.client.retries.number", "100")
            .conf("hbase.client.operation.timeout", "60000")
            // Unneeded files leave the archive, so it does not grow during long runs.
            .conf("hbase.master.hfilecleaner.ttl", "20000")
            .conf("hbase.master.cleaner.interval", "5000")
            // With the tracker FILE, unfinished files of a killed RegionServer are among the store
            // files.
            .conf("hbase.region.broken.storefilecleaner.enabled", "true")
            .conf("hbase.region.broken.storefilecleaner.ttl", "30000")
            .conf("hbase.region.broken.storefilecleaner.delay", "1000")
            .conf("hbase.region.broken.storefilecleaner.period", "1000"));
  }

  private void create(TableName table, String tracker) throws IOException {
    cluster
        .admin()
        .createTable(
            TierCluster.threeTiers(table)
                .setValue("hbase.store.file-tracker.impl", tracker)
                .build());
  }

  /** A table with flushed and compacted files. */
  private void prepareDeletion(String tracker) throws IOException {
    TableName table = TableName.valueOf("doomed-" + tracker + "-" + doomed.size());
    create(table, tracker);
    doomed.add(table);
    cluster.flush(table, 0, BATCH);
    cluster.flush(table, BATCH, BATCH);
    cluster.admin().majorCompact(table);
    cluster.flush(table, 0, BATCH);
  }

  /**
   * It may fail: the processes that it needs die meanwhile.
   *
   * @param newest of the tables to be deleted
   */
  private void begin(Work work, TableName newest) {
    try {
      switch (work) {
        case FLUSH -> cluster.admin().flush(name);
        case COMPACTION -> {
          cluster.admin().flush(name);
          cluster.admin().majorCompact(name);
        }
        case ARCHIVE -> {
          cluster.admin().majorCompact(name);
          cluster.admin().flush(name);
        }
        case MOVE -> {
          for (FileStatus file : cluster.storeFiles(cluster.directory(name))) {
            cluster.fs().setStoragePolicy(file.getPath(), "COLD");
          }
        }
        case DELETION -> delete(newest);
      }
    } catch (IOException | RuntimeException e) {
      System.out.println(work + " did not come to its end: " + e);
    }
  }

  private void delete(TableName table) throws IOException {
    if (cluster.admin().isTableEnabled(table)) {
      cluster.admin().disableTable(table);
    }
    cluster.admin().deleteTable(table);
  }

  private void kill(Victim victim, Movers movers) throws Exception {
    if (victim == Victim.MOVER) {
      movers.kill();
    } else {
      Daemon daemon = cluster.processes().daemon(Role.valueOf(victim.name()), 0);
      daemon.kill();
      daemon.restart();
    }
  }

  private void requireRecovered() throws Exception {
    requireRows();
    requirePlaced(name);
    for (TableName table : doomed) {
      requireDeleted(table);
    }
  }

  private void requirePlaced(TableName table) throws Exception {
    Eventually.holds(() -> assertThat(cluster.misplaced(table)).isEmpty());
  }

  /** The requester may have died before the request arrived, or lost the answer. */
  private void requireDeleted(TableName table) throws Exception {
    Eventually.holds(
        () -> {
          if (cluster.admin().tableExists(table)) {
            delete(table);
          }
          assertThat(cluster.fs().exists(cluster.directory(table))).isFalse();
        });
    requirePlaced(table);
  }

  private void requireRows() throws IOException {
    assertThat(acknowledged).isNotEmpty();
    List<Integer> all = new ArrayList<>(acknowledged);
    try (Table table = cluster.connection().getTable(name)) {
      for (int begin = 0; begin < all.size(); begin += GETS) {
        List<Integer> part = all.subList(begin, Math.min(begin + GETS, all.size()));
        Result[] results = table.get(part.stream().map(TierCluster::key).map(Get::new).toList());
        for (int i = 0; i < results.length; i++) {
          assertThat(results[i].getValue(TierCluster.FAMILY, TierCluster.QUALIFIER))
              .as("row %d", part.get(i))
              .isEqualTo(TierCluster.value(part.get(i)));
        }
      }
    }
  }

  /** Unfinished files of a killed RegionServer are deleted when the region opens, or soon after. */
  private void requireNothingLeftOver() throws Exception {
    cluster.admin().disableTable(name);
    cluster.admin().enableTable(name);
    Eventually.holds(
        () -> {
          assertThat(cluster.filesBelow(cluster.directory(name)))
              .isNotEmpty()
              .noneMatch(file -> file.getPath().toString().contains("/.tmp/"));
          assertThat(cluster.misplaced(name)).isEmpty();
          assertThat(cluster.fs().listStatus(new org.apache.hadoop.fs.Path(TierCluster.QUEUE)))
              .extracting(file -> file.getPath().getName())
              .allMatch(name -> name.startsWith("."));
        });
  }
}
