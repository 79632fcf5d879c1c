package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.RemoteException;
import org.fastpath.cluster.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The active NameNode of an HA pair is killed repeatedly during pins. No pin is lost and none
 * exists twice. With {@code -Dnightly=true} 20 times, else 3 times.
 */
class PinFailoverTest {
  private static final int KILLS = Boolean.getBoolean("nightly") ? 20 : 3;
  private static final int FILES = 60;
  private static final int BYTES = 4_096;
  private static final String REGION = "/hbase/data/default/t/region/f/";

  @TempDir Path directory;

  private final Configuration conf = MiniHdfs.conf();
  private final Random random = new Random(Long.getLong("seed", 4711));
  private final PinMetrics metrics = new PinMetrics();
  private final HeatTracker tracker = new HeatTracker("server", 600_000);
  private final Map<String, OpenFile> open = new TreeMap<>();

  @AfterEach
  void close() {
    metrics.close();
  }

  @Test
  void pinsAreNeitherLostNorDoubled() throws Exception {
    conf.set(PinOptions.LIMIT, "32m");
    conf.set(PinOptions.REPLICATION, "1");
    conf.set(PinOptions.INTERVAL, "1");
    try (MiniDFSCluster cluster =
        MiniHdfs.builder(conf, directory)
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(1)
            .build()) {
      cluster.transitionToActive(0);
      try (DistributedFileSystem fs = HATestUtil.configureFailoverFs(cluster, conf)) {
        pinThroughFailovers(cluster, fs);
      }
    }
  }

  private void pinThroughFailovers(MiniDFSCluster cluster, DistributedFileSystem fs)
      throws Exception {
    for (int i = 0; i < FILES; i++) {
      try (OutputStream out = fs.create(path(i))) {
        out.write(new byte[BYTES]);
      }
    }
    PinOptions options = PinOptions.of(conf);
    CacheDirectives directives =
        new CacheDirectives(fs, new org.apache.hadoop.fs.Path("/hbase"), options);
    PinBoard board = new PinBoard(options);
    PinCoordinator coordinator =
        new PinCoordinator(directives, options, board, metrics, PinService::now);
    for (int kill = 0; kill < KILLS; kill++) {
      int active = kill % 2;
      CompletableFuture<Void> killed = CompletableFuture.runAsync(() -> kill(cluster, active));
      while (!killed.isDone()) {
        change();
        roundDuringKill(board, coordinator);
      }
      killed.get();
    }
    Eventually.holds(
        () -> {
          round(board, coordinator);
          Map<String, Directive> pinned = directives.directives();
          assertThat(pinned.keySet()).isEqualTo(open.keySet());
          assertThat(pinned.values()).allMatch(directive -> directive.ids().size() == 1);
          assertThat(pinned.values()).allMatch(directive -> directive.cachedBytes() == BYTES);
        });
    assertThat(open).isNotEmpty();
  }

  private static org.apache.hadoop.fs.Path path(int number) {
    return new org.apache.hadoop.fs.Path(REGION + "file" + number);
  }

  /**
   * The other NameNode becomes active; the killed one comes back as the standby. Waits until the
   * standby has the DataNode's blocks. Otherwise the next kill makes it active in safe mode, which
   * refuses pins.
   */
  private static void kill(MiniDFSCluster cluster, int active) {
    try {
      cluster.shutdownNameNode(active);
      cluster.transitionToActive(1 - active);
      cluster.restartNameNode(active, false);
      cluster.waitNameNodeUp(active);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Some files come and go. */
  private void change() {
    for (int i = 0; i < 5; i++) {
      String path = REGION + "file" + random.nextInt(FILES);
      if (open.remove(path) == null) {
        open.put(path, new OpenFile(path, BYTES, path, "region", PinPolicy.ALWAYS, 0, false));
      }
    }
  }

  /**
   * Makes a round while a NameNode is killed. A killed NameNode does not answer, but a NameNode of
   * this JVM may answer with an assertion of its closed edit log. The client does not try the other
   * NameNode then. The round ends early, and the next round repairs it.
   */
  private void roundDuringKill(PinBoard board, PinCoordinator coordinator) throws IOException {
    try {
      round(board, coordinator);
    } catch (RemoteException e) {
      if (!e.getClassName().equals(AssertionError.class.getName())) {
        throw e;
      }
    }
  }

  private void round(PinBoard board, PinCoordinator coordinator) throws IOException {
    List<OpenFile> files = new ArrayList<>(open.values());
    long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    board.receive(tracker.report(new OpenFiles(Set.of("region"), files), now), now);
    coordinator.round(Set.of("server"));
  }
}
