package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Files whose policies change and that are moved, while the active one of two NameNodes is stopped
 * again and again. One of the policies is an operator's own: each NameNode that starts loads it,
 * and then the edits that give it to files. Runs on the mini cluster of Hadoop's tests, in a JVM of
 * its own: its jars bring configuration that no other test should have.
 */
public final class HaMover {
  private static final int FILES = 12;
  private static final int BLOCKS = 2;
  private static final int BLOCK_BYTES = 256 << 10;
  private static final short REPLICAS = 2;
  private static final int MAX_PAUSE_MILLIS = 400;
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(2);
  private static final String FAST = "FAST";
  private static final int FAST_ID = 9;
  private static final String HDFS = "org.apache.hadoop.hdfs.";

  private final Random random;
  private final Configuration conf = new HdfsConfiguration();
  private final List<Path> files = new ArrayList<>();
  private final Object cluster;
  private final DistributedFileSystem fs;
  private int active;

  private HaMover(long seed) throws Exception {
    random = new Random(seed);
    conf.setInt("dfs.blocksize", BLOCK_BYTES);
    conf.setInt("dfs.namenode.fs-limits.min-block-size", 0);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.setInt("dfs.ha.tail-edits.period", 1);
    conf.setInt("dfs.heartbeat.interval", 1);
    // After a failover, the NameNode deletes no surplus replica before the next full report.
    conf.setLong("dfs.blockreport.intervalMsec", 2_000);
    conf.set("dfs.fastpath.storage-policies", FAST);
    conf.set("dfs.fastpath.storage-policy.FAST.id", Integer.toString(FAST_ID));
    conf.set("dfs.fastpath.storage-policy.FAST.storage-types", "SSD");
    conf.set(MoveOptions.POLL, "50");
    conf.set(MoveOptions.BACKOFF, "100");
    conf.set(MoveOptions.BANDWIDTH, "8m");
    conf.set(MoveOptions.ATTEMPTS, "1000");
    cluster = start();
    call("transitionToActive", 0);
    Class<?> util = Class.forName(HDFS + "server.namenode.ha.HATestUtil");
    util.getMethod("setFailoverConfigurations", cluster.getClass(), Configuration.class)
        .invoke(null, cluster, conf);
    fs = (DistributedFileSystem) FileSystem.newInstance(conf);
  }

  private Object start() throws Exception {
    Class<?> builder = Class.forName(HDFS + "MiniDFSCluster$Builder");
    Class<?> topology = Class.forName(HDFS + "MiniDFSNNTopology");
    Object made = builder.getConstructor(Configuration.class).newInstance(conf);
    builder
        .getMethod("nnTopology", topology)
        .invoke(made, topology.getMethod("simpleHATopology").invoke(null));
    builder.getMethod("numDataNodes", int.class).invoke(made, 3);
    builder.getMethod("storagesPerDatanode", int.class).invoke(made, 2);
    Object types = Array.newInstance(StorageType.class, 2);
    Array.set(types, 0, StorageType.DISK);
    Array.set(types, 1, StorageType.SSD);
    builder.getMethod("storageTypes", StorageType[].class).invoke(made, types);
    return builder.getMethod("build").invoke(made);
  }

  private void call(String method, int nameNode) throws Exception {
    cluster.getClass().getMethod(method, int.class).invoke(cluster, nameNode);
  }

  /** Rounds as many as the first argument says, with a seed; prints what became of each. */
  public static void main(String[] args) {
    int failed = 1;
    try {
      run(Integer.parseInt(args[0]), Long.parseLong(args[1]));
      failed = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    System.exit(failed);
  }

  private static void run(int rounds, long seed) throws Exception {
    System.out.println("seed " + seed);
    HaMover test = new HaMover(seed);
    test.write();
    for (int round = 0; round < rounds; round++) {
      test.round(round % 2 == 0 ? FAST : "HOT");
      System.out.println("round " + round + " in order");
    }
    System.out.println("all in order");
  }

  private void write() throws IOException {
    for (int i = 0; i < FILES; i++) {
      Path file = new Path("/files/" + i);
      try (OutputStream out = fs.create(file, true, BLOCK_BYTES, REPLICAS, BLOCK_BYTES)) {
        out.write(content(i));
      }
      files.add(file);
    }
  }

  private static byte[] content(int file) {
    byte[] bytes = new byte[BLOCKS * BLOCK_BYTES];
    new Random(file).nextBytes(bytes);
    return bytes;
  }

  /** Gives all files a policy and requests their moves, while the active NameNode goes away. */
  private void round(String policy) throws Exception {
    List<MoveTicket> tickets = new ArrayList<>();
    try (FileMover mover = FileMover.open(conf)) {
      mover.start();
      CompletableFuture<Void> failover = CompletableFuture.runAsync(this::failOver);
      for (Path file : files) {
        requireNoFailure(failover);
        await("the policy of " + file, () -> isDone(() -> fs.setStoragePolicy(file, policy)));
        await("a request for " + file, () -> isDone(() -> tickets.add(mover.submit(file))));
      }
      failover.get();
      StorageType wanted = policy.equals("HOT") ? StorageType.DISK : StorageType.SSD;
      await("the end of all requests", () -> isDone(mover, tickets));
      for (Path file : files) {
        await(wanted + " for " + file, () -> isOn(wanted, file));
      }
    }
    for (Path file : files) {
      require(fs.getStoragePolicy(file).getName().equals(policy), "the policy of " + file);
    }
    for (int i = 0; i < FILES; i++) {
      try (InputStream in = fs.open(files.get(i))) {
        require(Arrays.equals(in.readAllBytes(), content(i)), "bytes of " + files.get(i));
      }
    }
  }

  /** Without an active NameNode, each call would be tried for minutes. */
  private static void requireNoFailure(CompletableFuture<Void> failover) throws Exception {
    if (failover.isCompletedExceptionally()) {
      failover.get();
    }
  }

  private void failOver() {
    try {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(MAX_PAUSE_MILLIS));
      call("shutdownNameNode", active);
      call("transitionToActive", 1 - active);
      call("restartNameNode", active);
      active = 1 - active;
    } catch (Exception e) {
      e.printStackTrace();
      throw new IllegalStateException(e);
    }
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private interface Call {
    void make() throws IOException;
  }

  /** Returns whether a call was answered: a NameNode that is being stopped may fail it. */
  private static boolean isDone(Call call) {
    try {
      call.make();
      return true;
    } catch (IOException e) {
      System.out.println("made again: " + e);
      return false;
    }
  }

  private static void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.holds()) {
      require(System.nanoTime() < deadline, what + ": not in time");
      TimeUnit.MILLISECONDS.sleep(MAX_PAUSE_MILLIS / 4);
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }

  private static boolean isDone(FileMover mover, List<MoveTicket> tickets) throws IOException {
    return mover.status(tickets).stream().allMatch(status -> status.state() == MoveState.DONE)
        && mover.requested().isEmpty();
  }

  /** Each replica of each block once, and where it is wanted. */
  private boolean isOn(StorageType wanted, Path file) {
    try {
      List<LocatedBlock> blocks =
          fs.getClient().getLocatedBlocks(file.toString(), 0, Long.MAX_VALUE).getLocatedBlocks();
      return blocks.size() == BLOCKS
          && blocks.stream()
              .allMatch(
                  block ->
                      Arrays.equals(block.getStorageTypes(), new StorageType[] {wanted, wanted}));
    } catch (IOException e) {
      return false;
    }
  }
}
