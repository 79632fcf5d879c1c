package org.fastpath.tiered.datanode.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.FederationRouter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves between volumes of real DataNodes. */
class FileMoverLiveTest {
  private static final String TESTED = "target/classes";
  private static final String TESTS = "target/test-classes";
  private static final String QUEUE = "/system/fastpath-moves";
  private static final String SSD = "ALL_SSD";
  private static final String HOT = "HOT";

  private static TestCluster cluster;

  private final List<FileMover> movers = new ArrayList<>();

  @BeforeAll
  static void start(@TempDir java.nio.file.Path volumes) throws Exception {
    cluster = new TestCluster(volumes);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @AfterEach
  void nothingIsLeftInTheQueue() throws Exception {
    try {
      assertThat(queue().list()).isEmpty();
    } finally {
      for (FileMover mover : movers) {
        mover.close();
      }
      for (MoveRequest left : queue().list()) {
        queue().remove(left);
      }
    }
  }

  private static MoveQueue queue() {
    return new MoveQueue(cluster.fs(), QUEUE);
  }

  private FileMover mover(String... keysAndValues) throws Exception {
    FileMover mover =
        FileMover.open(
            cluster.conf(
                concat(
                    List.of(
                        "dfs.fastpath.move.poll-millis", "50",
                        "dfs.fastpath.move.lease-millis", "2000",
                        "dfs.fastpath.move.backoff-millis", "50",
                        "dfs.fastpath.move.attempts", "1000"),
                    List.of(keysAndValues))));
    movers.add(mover);
    return mover;
  }

  private static String[] concat(List<String> first, List<String> second) {
    List<String> all = new ArrayList<>(first);
    all.addAll(second);
    return all.toArray(String[]::new);
  }

  private static void await(FileMover mover, MoveState state, MoveTicket... tickets)
      throws Exception {
    Eventually.holds(
        () ->
            assertThat(mover.status(List.of(tickets)))
                .extracting(MoveStatus::state)
                .containsOnly(state));
  }

  @Test
  void allReplicasMoveWhileTheFileIsRead() throws Exception {
    Path file = cluster.write("/eight", 4, 8 << 20, 2);
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger reads = new AtomicInteger();
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(
            () -> {
              while (!enough.get() || reads.get() < 2) {
                try {
                  cluster.read(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
                reads.incrementAndGet();
              }
            });
    FileMover mover = mover("dfs.fastpath.move.bandwidth", "1g");
    mover.start();
    for (String policy : List.of(SSD, HOT, SSD)) {
      cluster.fs().setStoragePolicy(file, policy);
      long begin = System.nanoTime();
      MoveTicket ticket = mover.submit(file);
      while (mover.status(List.of(ticket)).get(0).state() != MoveState.DONE) {
        Thread.sleep(1);
      }
      long millis = (System.nanoTime() - begin) / 1_000_000;
      System.out.println("8 replicas of 8 MB to " + policy + ": " + millis + " ms");
      assertThat(cluster.types(file))
          .hasSize(8)
          .containsOnly(policy.equals(SSD) ? StorageType.SSD : StorageType.DISK);
    }
    enough.set(true);
    reader.join();
    cluster.read(file);
  }

  @Test
  void aFileFollowsTheDirectoryThatItIsRenamedTo() throws Exception {
    Path fast = new Path("/fast");
    cluster.fs().mkdirs(fast);
    cluster.fs().setStoragePolicy(fast, SSD);
    Path one = new Path(fast, "one");
    Path two = new Path(fast, "two");
    assertThat(cluster.fs().rename(cluster.write("/one", 1), one)).isTrue();
    FileMover mover = mover();
    MoveTicket request = mover.submit(one);
    mover.start();
    await(mover, MoveState.DONE, request);
    assertThat(cluster.types(one)).hasSize(2).containsOnly(StorageType.SSD);
    assertThat(cluster.fs().rename(cluster.write("/two", 1), two)).isTrue();
    await(mover, MoveState.DONE, mover.submit(fast));
    assertThat(cluster.types(two)).hasSize(2).containsOnly(StorageType.SSD);
  }

  @Test
  void aChangeWhileTheFirstIsPendingIsHonoured() throws Exception {
    Path file = cluster.write("/twice", 4);
    FileMover mover = mover("dfs.fastpath.move.bandwidth", "8m");
    mover.start();
    cluster.fs().setStoragePolicy(file, SSD);
    MoveTicket first = mover.submit(file);
    Eventually.holds(() -> assertThat(cluster.types(file)).contains(StorageType.SSD));
    cluster.fs().setStoragePolicy(file, HOT);
    MoveTicket second = mover.submit(file);
    await(mover, MoveState.DONE, first, second);
    assertThat(cluster.types(file)).hasSize(8).containsOnly(StorageType.DISK);
    cluster.read(file);
  }

  @Test
  void aNewMoverFinishesWhatAKilledOneBegan() throws Exception {
    Path file = cluster.write("/killed", 6);
    cluster.fs().setStoragePolicy(file, SSD);
    FileMover mover = mover();
    MoveTicket ticket = mover.submit(file);
    int exitCode =
        cluster
            .processes()
            .runClient(
                DyingMover.class.getName(),
                List.of(file.toString()),
                o ->
                    o.quickStart()
                        .prependToClasspath(
                            java.nio.file.Path.of(TESTED), java.nio.file.Path.of(TESTS))
                        .conf("dfs.fastpath.move.bandwidth", "1m"),
                line -> {});
    assertThat(exitCode).isEqualTo(DyingMover.DEAD);
    assertThat(cluster.types(file)).contains(StorageType.DISK, StorageType.SSD);
    mover.start();
    await(mover, MoveState.DONE, ticket);
    assertThat(cluster.types(file)).hasSize(12).containsOnly(StorageType.SSD);
    cluster.read(file);
  }

  @Test
  void noReplicaIsLostWithADataNodeThatDies() throws Exception {
    Path file = cluster.write("/dead", 4);
    cluster.fs().setStoragePolicy(file, SSD);
    FileMover mover = mover("dfs.fastpath.move.bandwidth", "6m");
    mover.start();
    MoveTicket ticket = mover.submit(file);
    Eventually.holds(() -> assertThat(cluster.types(file)).contains(StorageType.SSD));
    cluster.dataNode(1).kill();
    cluster.read(file);
    cluster.dataNode(1).restart();
    await(mover, MoveState.DONE, ticket);
    assertThat(cluster.types(file)).hasSize(8).containsOnly(StorageType.SSD);
    cluster.read(file);
  }

  @Test
  void aReplicaGoesToAnotherDataNodeWhereItsOwnHasNoSuchVolume() throws Exception {
    Path file = cluster.write("/remote", 6, 1 << 20, 1);
    cluster.fs().setStoragePolicy(file, "COLD");
    FileMover mover = mover();
    mover.start();
    await(mover, MoveState.DONE, mover.submit(file));
    Eventually.holds(
        () -> assertThat(cluster.types(file)).hasSize(6).containsOnly(StorageType.ARCHIVE));
    cluster.read(file);
  }

  @Test
  void anEncryptedFileMovesAndAnEncryptedQueueHasALease() throws Exception {
    Path zone = new Path("/zone");
    cluster.fs().mkdirs(zone);
    new HdfsAdmin(cluster.fs().getUri(), cluster.conf())
        .createEncryptionZone(zone, TestCluster.KEY, EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    Path file = cluster.write("/zone/file", 2);
    cluster.fs().setStoragePolicy(file, "ALL_SSD");
    FileMover mover = mover();
    mover.start();
    await(mover, MoveState.DONE, mover.submit(file));
    assertThat(cluster.types(file)).containsOnly(StorageType.SSD);
    cluster.read(file);
    MoverLease lease = new MoverLease(cluster.fs(), "/zone", 1_000, () -> 0);
    assertThat(lease.hold()).isTrue();
    lease.release();
  }

  @Test
  void stripedBlocksMoveToo() throws Exception {
    Path directory = new Path("/striped");
    cluster.fs().mkdirs(directory);
    cluster.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    cluster.fs().setErasureCodingPolicy(directory, "XOR-2-1-1024k");
    Path file = new Path(directory, "file");
    cluster.writeStriped(file);
    cluster.fs().setStoragePolicy(directory, SSD);
    FileMover mover = mover();
    mover.start();
    await(mover, MoveState.DONE, mover.submit(directory));
    assertThat(cluster.types(file)).hasSize(3).containsOnly(StorageType.SSD);
    cluster.read(file);
    cluster.fs().setStoragePolicy(directory, "COLD");
    MoveTicket onlyOneHasRoom = mover.submit(directory);
    Eventually.holds(() -> assertThat(cluster.types(file)).containsOnlyOnce(StorageType.ARCHIVE));
    cluster.read(file);
    assertThat(mover.cancel(directory)).isEqualTo(1);
    await(mover, MoveState.DONE, onlyOneHasRoom);
  }

  @Test
  void aRequestIsCancelledThoughItsStateChanges() throws Exception {
    Path file = cluster.write("/cancelled", 1);
    for (int i = 0; i < 20; i++) {
      MoveTicket ticket = queue().submit(file);
      CompletableFuture<Integer> changes =
          CompletableFuture.supplyAsync(() -> changeUntilGone(ticket.request()));
      assertThat(queue().cancel(file)).isEqualTo(1);
      assertThat(changes.get(2, TimeUnit.MINUTES)).isPositive();
      assertThat(queue().list()).isEmpty();
    }
  }

  private static int changeUntilGone(MoveRequest request) {
    try {
      int changes = 0;
      Optional<MoveRequest> current = Optional.of(request);
      while (current.isPresent()) {
        MoveState next =
            current.get().state() == MoveState.MOVING ? MoveState.WAITING : MoveState.MOVING;
        current = queue().change(current.get(), next, Optional.empty());
        changes++;
      }
      return changes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFileThatIsWrittenWaitsForItsEnd() throws Exception {
    Path file = new Path("/open");
    FileMover mover = mover();
    mover.start();
    MoveTicket ticket;
    try (OutputStream out = cluster.fs().create(file)) {
      out.write(new byte[(1 << 20) + 1000]);
      ((HdfsDataOutputStream) out).hflush();
      cluster.fs().setStoragePolicy(file, SSD);
      ticket = mover.submit(file);
      await(mover, MoveState.WAITING, ticket);
      Eventually.holds(
          () -> {
            assertThat(cluster.blocks(file).get(0).getStorageTypes()).containsOnly(StorageType.SSD);
            assertThat(mover.status(List.of(ticket)).get(0).reason())
                .isEqualTo("the file is being written");
          });
    }
    await(mover, MoveState.DONE, ticket);
    assertThat(cluster.types(file)).hasSize(4).containsOnly(StorageType.SSD);
  }

  /** The context of a run, in a process that stops after a given number of calls. */
  private record Stopping(MoveWorker worker, AtomicInteger times) implements InodeMove.Context {
    @Override
    public DFSClient client() {
      return worker.client();
    }

    @Override
    public ClusterView view() throws IOException {
      return worker.view();
    }

    @Override
    public MoveDispatcher dispatcher() {
      return worker.dispatcher();
    }

    @Override
    public MoveQueue queue() {
      return worker.queue();
    }

    @Override
    public RequesterRights rights() {
      return worker.rights();
    }

    @Override
    public TierBackoff tiers() {
      return worker.tiers();
    }

    @Override
    public MoveMetrics metrics() {
      return worker.metrics();
    }

    @Override
    public MoveOptions options() {
      return worker.options();
    }

    @Override
    public boolean isStopped() {
      return times.getAndDecrement() > 0;
    }

    @Override
    public void schedule(Runnable step, long delayNanos) {
      worker.schedule(step, delayNanos);
    }

    @Override
    public void ended() {
      // The test looks itself.
    }
  }

  private static MoveWorker worker(MoveQueue queue) {
    String user = System.getProperty("user.name");
    return new MoveWorker(
        cluster.fs(),
        queue,
        MoveOptions.of(cluster.conf()),
        new RequesterRights(
            cluster.fs().getClient(), queue, user, "supergroup", true, any -> List.of()),
        move -> {});
  }

  private static void run(InodeMove move, List<MoveRequest> requests) throws Exception {
    move.begin(requests);
    Eventually.holds(() -> assertThat(move.isRunning()).isFalse());
  }

  @Test
  void theEndOfARequestLeavesALaterOne() throws Exception {
    Path file = cluster.write("/later", 1);
    MoveQueue queue = queue();
    MoveRequest first = queue.submit(file).request();
    try (MoveWorker worker = worker(queue)) {
      InodeMove move = new InodeMove(first.inode(), new Stopping(worker, new AtomicInteger()));
      List<MoveRequest> before = queue.list();
      MoveRequest second = queue.submit(file).request();
      run(move, before);
      assertThat(queue.list()).hasSize(1).allMatch(second::isSameAs);
      assertThat(move.isDue(queue.list())).isTrue();
      run(move, queue.list());
      assertThat(queue.list()).isEmpty();
    }
  }

  @Test
  void aRequestThatWasNotLookedAtToItsEndStays() throws Exception {
    Path file = cluster.write("/stopped", 1);
    MoveQueue queue = queue();
    MoveRequest request = queue.submit(file).request();
    try (MoveWorker worker = worker(queue)) {
      InodeMove move = new InodeMove(request.inode(), new Stopping(worker, new AtomicInteger(1)));
      run(move, queue.list());
      assertThat(queue.list()).hasSize(1).allMatch(request::isSameAs);
      run(move, queue.list());
      assertThat(queue.list()).isEmpty();
    }
  }

  /** By clocks of their own, which differ. */
  @Test
  void theLeaseGoesToOneAndToAnotherWhenItIsNotRenewed() throws Exception {
    mover().submit(cluster.write("/lease", 1));
    assertThat(movers.get(0).cancel(new Path("/lease"))).isEqualTo(1);
    AtomicLong here = new AtomicLong();
    AtomicLong there = new AtomicLong(-1_000_000_000);
    MoverLease first = new MoverLease(cluster.fs(), QUEUE, 1, here::get);
    MoverLease second = new MoverLease(cluster.fs(), QUEUE, 1, there::get);
    assertThat(first.hold()).isTrue();
    assertThat(second.hold()).isFalse();
    there.addAndGet(900_000);
    here.addAndGet(900_000);
    assertThat(first.hold()).as("renewed").isTrue();
    assertThat(second.hold()).isFalse();
    there.addAndGet(900_000);
    assertThat(second.hold()).as("not as long as it saw the renewal").isFalse();
    there.addAndGet(200_000);
    here.addAndGet(1_100_000);
    assertThat(first.isValid()).isFalse();
    assertThat(second.hold()).isTrue();
    assertThat(first.hold()).as("it finds out when it renews").isFalse();
    second.release();
    assertThat(first.hold()).isTrue();
    first.release();
  }

  @Test
  void theCommandMovesAndSaysSo() throws Exception {
    Path file = cluster.write("/command", 1);
    cluster.fs().setStoragePolicy(file, SSD);
    mover();
    assertThat(command(0, "--queue", "/command")).isEmpty();
    assertThat(command(0, "--status")).containsExactly("waiting  /command");
    assertThat(command(0, "--cancel", "/command")).containsExactly("1 cancelled  /command");
    assertThat(command(0, "/command")).endsWith("done  /command");
    assertThat(cluster.types(file)).containsOnly(StorageType.SSD);
    assertThat(command(2, "--queue").get(0)).startsWith("usage: move");
    assertThat(command(2))
        .contains(
            "usage: move [--conf DIR] PATH...           requests moves, and"
                + " moves until they are done");
  }

  private static List<String> command(int exitCode, String... args) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    List<String> all = new ArrayList<>(List.of("--conf"));
    all.add(cluster.processes().clientConfDir().toString());
    all.addAll(List.of(args));
    int code = new MoveCommand(new PrintStream(printed, true, StandardCharsets.UTF_8)).run(all);
    assertThat(code).isEqualTo(exitCode);
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  /** It would find another file by an inode of a name service that is not its default one. */
  @Test
  void aRouterOfAFederationIsRefused(@TempDir java.nio.file.Path records) throws Exception {
    try (FederationRouter router = FederationRouter.start(cluster.fs().getUri(), records)) {
      Configuration conf = cluster.conf("fs.defaultFS", router.uri().toString());
      try (FileSystem routed = FileSystem.newInstance(conf)) {
        Eventually.holds(
            () ->
                assertThatCode(() -> routed.listStatus(new Path("/"))).doesNotThrowAnyException());
      }
      assertThatThrownBy(() -> FileMover.open(conf))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("of a NameNode or of an HA name service, not of a router");
    }
  }

  @Test
  void eachEndHasItsReason() throws Exception {
    FileMover mover = mover("dfs.fastpath.move.attempts", "2");
    Path impossible = cluster.write("/impossible", 1);
    cluster.fs().setStoragePolicy(impossible, "PROVIDED");
    Path deleted = cluster.write("/deleted", 1);
    Path cancelled = cluster.write("/cancelled", 1);
    cluster.fs().setStoragePolicy(cancelled, SSD);
    MoveTicket noTarget = mover.submit(impossible);
    MoveTicket gone = mover.submit(deleted);
    mover.submit(cancelled);
    assertThat(mover.status())
        .extracting(MoveStatus::path)
        .containsExactlyInAnyOrder("/impossible", "/deleted", "/cancelled");
    assertThat(mover.cancel(cancelled)).isEqualTo(1);
    cluster.fs().delete(deleted, false);
    mover.start();
    await(mover, MoveState.DONE, gone);
    await(mover, MoveState.FAILED, noTarget);
    assertThat(mover.status()).hasSize(1);
    assertThat(mover.status().get(0))
        .hasToString("failed  /impossible  no DataNode has a volume of the wanted type with room");
    assertThat(cluster.types(cancelled)).containsOnly(StorageType.DISK);
    cluster.fs().setStoragePolicy(impossible, HOT);
    await(mover, MoveState.DONE, mover.submit(impossible));
  }
}
