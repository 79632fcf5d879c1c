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
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.Role;
import org.fastpath.tiered.datanode.move.MoveCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL for a RegionServer, a DataNode, the HMaster and a mover, in turn, in the middle of
 * flushes, compactions, archiving and moves, while rows are written: each row that was acknowledged
 * is there in the end, each file is where the rules say, and nothing is left over. {@code
 * -Dnightly=true} kills 52 times; {@code kills.seed} repeats the pauses before kills, though not
 * the order in which threads run.
 */
class TierKillsTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final int KILLS = NIGHTLY ? 52 : 2;
  private static final long SEED = Long.getLong("kills.seed", System.nanoTime());
  private static final TableName NAME = TableName.valueOf("kills");
  private static final int BATCH = 20;
  private static final long PAUSE_MILLIS = 100;
  private static final int LONGEST_WAIT_MILLIS = 700;
  private static final int GETS = 500;

  private final Random random = new Random(SEED);

  /** What is killed. */
  private enum Victim {
    REGIONSERVER,
    MOVER,
    DATANODE,
    MASTER
  }

  /** What is going on then. */
  private enum Work {
    FLUSH,
    MOVE,
    COMPACTION,
    ARCHIVE
  }

  /** Writes rows, and knows which of them HBase has acknowledged. */
  private static final class Writer implements AutoCloseable {
    private final TierCluster cluster;
    private final Queue<Integer> acknowledged;
    private final Thread thread = new Thread(this::write, "writer");
    private volatile boolean enough;

    Writer(TierCluster cluster, Queue<Integer> acknowledged) {
      this.cluster = cluster;
      this.acknowledged = acknowledged;
      thread.start();
    }

    private void write() {
      for (int row = 0; !enough; row += BATCH) {
        try {
          cluster.put(NAME, row, BATCH, System.currentTimeMillis());
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
  private static final class Movers implements AutoCloseable {
    private final TierCluster cluster;
    private final Thread thread = new Thread(this::serve, "movers");
    private volatile boolean enough;

    Movers(TierCluster cluster) {
      this.cluster = cluster;
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

  @Test
  void nothingIsLostMisplacedOrLeftOver(@TempDir Path directory) throws Exception {
    System.out.println("kills.seed " + SEED);
    Queue<Integer> acknowledged = new ConcurrentLinkedQueue<>();
    try (TierCluster cluster = start(directory)) {
      cluster.admin().createTable(TierCluster.threeTiers(NAME).build());
      ExecutorService background = Executors.newCachedThreadPool();
      try (Writer writer = new Writer(cluster, acknowledged);
          Movers movers = new Movers(cluster)) {
        Eventually.holds(() -> assertThat(acknowledged).isNotEmpty());
        for (int i = 0; i < KILLS; i++) {
          Victim victim = Victim.values()[i % Victim.values().length];
          Work work = Work.values()[(i + i / Work.values().length) % Work.values().length];
          background.execute(() -> begin(work, cluster));
          Thread.sleep(random.nextInt(LONGEST_WAIT_MILLIS));
          kill(victim, movers, cluster);
          System.out.printf("%d: %s at %s, %d rows%n", i, victim, work, acknowledged.size());
          if (victim == Victim.MOVER) {
            requireRecovered(acknowledged, cluster);
          }
        }
      } finally {
        background.shutdownNow();
      }
      requireNothingLeftOver(cluster);
      requireRecovered(acknowledged, cluster);
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
            // What nobody needs leaves the archive, so that it does not grow all night.
            .conf("hbase.master.hfilecleaner.ttl", "20000")
            .conf("hbase.master.cleaner.interval", "5000"));
  }

  /** As far as it gets: the processes that it needs die meanwhile. */
  private static void begin(Work work, TierCluster cluster) {
    try {
      switch (work) {
        case FLUSH -> cluster.admin().flush(NAME);
        case COMPACTION -> {
          cluster.admin().flush(NAME);
          cluster.admin().majorCompact(NAME);
        }
        case ARCHIVE -> {
          cluster.admin().majorCompact(NAME);
          cluster.admin().flush(NAME);
        }
        case MOVE -> {
          for (FileStatus file : cluster.storeFiles(cluster.directory(NAME))) {
            cluster.fs().setStoragePolicy(file.getPath(), "COLD");
          }
        }
      }
    } catch (IOException | RuntimeException e) {
      System.out.println(work + " did not come to its end: " + e);
    }
  }

  private static void kill(Victim victim, Movers movers, TierCluster cluster) throws Exception {
    if (victim == Victim.MOVER) {
      movers.kill();
    } else {
      Daemon daemon = cluster.processes().daemon(Role.valueOf(victim.name()), 0);
      daemon.kill();
      daemon.restart();
    }
  }

  private static void requireRecovered(Queue<Integer> acknowledged, TierCluster cluster)
      throws Exception {
    requireRows(acknowledged, cluster);
    Eventually.holds(() -> assertThat(cluster.misplaced(NAME)).isEmpty());
  }

  private static void requireRows(Queue<Integer> rows, TierCluster cluster) throws IOException {
    assertThat(rows).isNotEmpty();
    List<Integer> all = new ArrayList<>(rows);
    try (Table table = cluster.connection().getTable(NAME)) {
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

  /** What a killed RegionServer had begun to write goes when the region is opened. */
  private static void requireNothingLeftOver(TierCluster cluster) throws Exception {
    cluster.admin().disableTable(NAME);
    cluster.admin().enableTable(NAME);
    Eventually.holds(
        () -> {
          assertThat(cluster.filesBelow(cluster.directory(NAME)))
              .isNotEmpty()
              .noneMatch(file -> file.getPath().toString().contains("/.tmp/"));
          assertThat(cluster.misplaced(NAME)).isEmpty();
          assertThat(cluster.fs().listStatus(new org.apache.hadoop.fs.Path(TierCluster.QUEUE)))
              .extracting(file -> file.getPath().getName())
              .allMatch(name -> name.startsWith("."));
        });
  }
}
