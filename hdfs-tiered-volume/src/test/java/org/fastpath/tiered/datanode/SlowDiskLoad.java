package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.fastpath.cluster.ClusterBuilder;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.fastpath.cluster.VolumeSpeed;

/**
 * Writes files while one disk of each DataNode is 100 times slower, and copies each file to another
 * DataNode. The arrival of a copy locks a block pool for writing. Files come at a fixed rate:
 * writers that wait for each other would bring less to the slower side. Compares two sides under
 * this load.
 *
 * <p>Files are small and come in groups, so the slow disk is done with a group before the next. A
 * disk that gets more work than it can do has a longer queue each second. Then clients time out,
 * whatever the locks.
 */
final class SlowDiskLoad {
  private static final int DISKS = 12;
  private static final int PERIOD_MILLIS = 15_000;
  private static final int COPIES_BEGIN_MILLIS = 3_000;
  private static final int GROUP = 30;
  private static final int FILE_BYTES = 4 << 10;
  private static final int BLOCK_BYTES = 1 << 20;
  private static final Path TESTED = Path.of("target", "classes").toAbsolutePath();

  private static final VolumeSpeed DISK =
      new VolumeSpeed(100e6, 200, 0, 0, 0, VolumeSpeed.Health.WORKING);

  private static final VolumeSpeed SLOW =
      new VolumeSpeed(1e6, 2, 0, 0, 0, VolumeSpeed.Health.WORKING);

  private final LocalCluster cluster;
  private final FileSystem fs;
  private final AtomicInteger files = new AtomicInteger();

  SlowDiskLoad(LocalCluster cluster, FileSystem fs) {
    this.cluster = cluster;
    this.fs = fs;
  }

  /**
   * Returns a cluster of two DataNodes with the locks of one side. Each has twelve disks, and an
   * SSD that is never slow.
   */
  static ClusterBuilder builder(Path directory, boolean ours) {
    ClusterBuilder builder =
        LocalCluster.builder()
            .directory(directory)
            .dataNodes(2)
            .volumes(volumes())
            .quickClose()
            .conf("dfs.blocksize", Integer.toString(BLOCK_BYTES))
            .conf("dfs.replication", "2")
            .conf("dfs.namenode.redundancy.interval.seconds", "1")
            .daemon(Role.DATANODE, options -> options.quickStart());
    for (int disk = 0; disk < DISKS; disk++) {
      builder.slowVolume(disk, DISK);
    }
    if (ours) {
      builder.daemon(
          Role.DATANODE,
          options ->
              options
                  .prependToClasspath(TESTED)
                  .conf("dfs.datanode.fsdataset.factory", TieredDatasetFactory.class.getName()));
    }
    return builder;
  }

  private static String[] volumes() {
    String[] types = new String[DISKS + 1];
    Arrays.fill(types, "[DISK]");
    types[DISKS] = "[SSD]";
    return types;
  }

  /** The load, until it is closed; then disks are as fast as before. */
  final class Running implements AutoCloseable {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService writers = Executors.newCachedThreadPool();

    /** Counts the files of the first group, and the time until their copies arrive. */
    private final CountDownLatch begun = new CountDownLatch(GROUP + 1);

    private void writeGroup() {
      for (int file = 0; file < GROUP; file++) {
        writers.execute(this::write);
      }
    }

    private void write() {
      org.apache.hadoop.fs.Path file =
          new org.apache.hadoop.fs.Path("/load/" + files.incrementAndGet());
      begun.countDown();
      try {
        try (OutputStream out = fs.create(file, true, BLOCK_BYTES, (short) 1, BLOCK_BYTES)) {
          out.write(new byte[FILE_BYTES]);
        }
        fs.setReplication(file, (short) 2);
      } catch (IOException e) {
        System.out.println(file + " was not written: " + e);
      }
    }

    @Override
    public void close() throws InterruptedException {
      timer.shutdownNow();
      speed(DISK);
      writers.shutdown();
      if (!writers.awaitTermination(5, TimeUnit.MINUTES)) {
        throw new AssertionError("writers do not end");
      }
    }
  }

  /**
   * Begins; returns while the first group is being written and copied. HDFS's locks then delay
   * most, and each round begins alike. Later the slow disk holds locks but few copies arrive.
   */
  Running start() throws InterruptedException {
    Running running = new Running();
    speed(SLOW);
    running.timer.scheduleAtFixedRate(running::writeGroup, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    running.timer.schedule(running.begun::countDown, COPIES_BEGIN_MILLIS, TimeUnit.MILLISECONDS);
    running.begun.await();
    return running;
  }

  private void speed(VolumeSpeed speed) {
    for (int dataNode = 0; dataNode < 2; dataNode++) {
      cluster.daemon(Role.DATANODE, dataNode).slowVolume(0, speed);
    }
  }

  /**
   * Runs rounds of both variants in turn and prints their times.
   *
   * @return the lower end of the interval in which the median of ours by HDFS's lies with 95 %
   */
  static double compare(int rounds, Callable<Double> stock, Callable<Double> ours)
      throws Exception {
    List<Double> stockSeconds = new ArrayList<>();
    List<Double> ourSeconds = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        stockSeconds.add(stock.call());
      }
      ourSeconds.add(ours.call());
      if (round % 2 == 1) {
        stockSeconds.add(stock.call());
      }
      ratios.add(ourSeconds.get(round) / stockSeconds.get(round));
      System.out.printf(
          Locale.ROOT,
          "round %d, seconds: HDFS's locks %.2f, ours %.2f%n",
          round,
          stockSeconds.get(round),
          ourSeconds.get(round));
    }
    print("HDFS's locks, seconds", stockSeconds);
    print("ours, seconds", ourSeconds);
    print("ours by HDFS's", ratios);
    System.out.printf(
        Locale.ROOT,
        "ours was longer in %d of %d rounds%n",
        ratios.stream().filter(ratio -> ratio > 1).count(),
        rounds);
    return bound(ratios, false);
  }

  private static void print(String name, List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    System.out.printf(
        Locale.ROOT,
        "%s: median %.2f, interval of 95 %% %.2f to %.2f, lowest %.2f, highest %.2f%n",
        name,
        (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2,
        bound(values, false),
        bound(values, true),
        sorted.get(0),
        sorted.get(sorted.size() - 1));
  }

  /**
   * Returns an end of the interval in which the median lies with 95 %, by ranks; all of few values.
   */
  private static double bound(List<Double> values, boolean upper) {
    List<Double> sorted = values.stream().sorted().toList();
    int size = sorted.size();
    int rank = (int) Math.max(0, Math.floor((size - 1.96 * Math.sqrt(size)) / 2));
    return sorted.get(upper ? size - 1 - rank : rank);
  }
}
