package org.fastpath.tiered.datanode.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.FakeFileSystem;
import org.fastpath.cluster.Eventually;
import org.fastpath.tiered.FakeNameNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mover's own classes over a NameNode that counts its calls, and what routers answer. */
class MoverOverFakeTest {
  private static final String QUEUE = "/system/fastpath-moves";
  private static final int FILES = 1_000;

  private final FakeNameNode nameNode = new FakeNameNode(System::currentTimeMillis);
  private final Configuration conf = FakeFileSystem.conf("mover", nameNode);
  private DistributedFileSystem fs;

  @BeforeEach
  void open() throws IOException {
    conf.set(MoveOptions.POLL, "20");
    conf.set(MoveOptions.BACKOFF, "100");
    conf.set(MoveOptions.BANDWIDTH, "1t");
    conf.set(MoveOptions.ATTEMPTS, "3");
    conf.set(MoveOptions.LEASE, "3600000");
    conf.set(MoveOptions.MAX_MOVES, "64");
    conf.set(MoveOptions.MAX_MOVES_PER_DATANODE, "64");
    fs = (DistributedFileSystem) FileSystem.newInstance(conf);
  }

  @AfterEach
  void close() throws IOException {
    fs.close();
  }

  private MoveWorker worker(MoveQueue queue, ReplicaTransfer transfer) {
    return new MoveWorker(
        fs,
        queue,
        MoveOptions.of(conf),
        new RequesterRights(
            fs.getClient(), queue, System.getProperty("user.name"), "", true, any -> List.of()),
        transfer);
  }

  /** Makes a file on a disk, and a queue with a request to move it to an SSD. */
  private MoveQueue request(Path file) throws IOException {
    nameNode.addFile(file.toString(), StorageType.DISK);
    fs.setStoragePolicy(file, "ALL_SSD");
    MoveQueue queue = new MoveQueue(fs, QUEUE);
    queue.submit(file);
    return queue;
  }

  private void place(ReplicaMove move) {
    nameNode.move(move.block().getBlockId(), move.to());
  }

  private Map<String, Long> calls() {
    return nameNode.callsByName();
  }

  /** A router reports that the inode of an existing file does not exist. */
  @Test
  void aRouterOfAFederationIsRefused() {
    nameNode.resolveNoInodes();
    assertThatThrownBy(() -> FileMover.open(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("fs.defaultFS is hdfs://mover, which does not find files by");
  }

  @Test
  void aDirectoryIsListedOnceHoweverLongItsFilesTake() throws Exception {
    for (int i = 0; i < FILES; i++) {
      nameNode.addFile("/directory/" + i, StorageType.DISK);
    }
    Path directory = new Path("/directory");
    fs.setStoragePolicy(directory, "ALL_SSD");
    MoveQueue queue = new MoveQueue(fs, QUEUE);
    CountDownLatch lastMayEnd = new CountDownLatch(1);
    ReplicaTransfer transfer =
        move -> {
          if (move.block().getBlockId() % 100 == 0) {
            awaitQuietly(lastMayEnd);
          }
          place(move);
        };
    try (MoveWorker worker = worker(queue, transfer)) {
      queue.submit(directory);
      long before = calls().getOrDefault("getListing", 0L);
      worker.start();
      Eventually.holds(
          () -> assertThat(nameNode.misplaced("/directory")).isLessThanOrEqualTo(FILES / 100));
      lastMayEnd.countDown();
      Eventually.holds(() -> assertThat(queue.list()).isEmpty());
      long listings = calls().get("getListing") - before;
      long files = calls().get("getLocatedFileInfo");
      System.out.println("listings: " + listings + ", files asked: " + files);
      assertThat(nameNode.misplaced("/directory")).isZero();
      assertThat(files).as("each once or twice after its move").isLessThan(3 * FILES);
    }
  }

  /** As an OutOfMemoryError, after which a process may live on. */
  @Test
  void anErrorHoldsUpNoRequestForEver() throws Exception {
    Path file = new Path("/file");
    MoveQueue queue = request(file);
    AtomicBoolean breaks = new AtomicBoolean(true);
    ReplicaTransfer transfer =
        move -> {
          if (breaks.getAndSet(false)) {
            nameNode.breakNext("getLocatedFileInfo", new NoClassDefFoundError("injected"));
            throw new OutOfMemoryError("injected into a move");
          }
          place(move);
        };
    try (MoveWorker worker = worker(queue, transfer)) {
      worker.start();
      Eventually.holds(() -> assertThat(queue.list()).isEmpty());
      assertThat(nameNode.type("/file")).isEqualTo(StorageType.SSD);
      assertThat(nameNode.isToBreak()).isFalse();
      nameNode.breakNext("getFileInfo", new OutOfMemoryError("injected into a poll"));
      Eventually.holds(() -> assertThat(nameNode.isToBreak()).isFalse());
      fs.setStoragePolicy(file, "HOT");
      queue.submit(file);
      Eventually.holds(() -> assertThat(nameNode.type("/file")).isEqualTo(StorageType.DISK));
    }
  }

  /** The NameNode may have renamed a request although its answer was lost. */
  @Test
  void aRequestWhoseNameIsUnknownIsRemoved() throws Exception {
    MoveQueue queue = request(new Path("/file"));
    nameNode.loseAnswer("rename2");
    ReplicaTransfer transfer =
        move -> {
          while (nameNode.isToBreak()) {
            Thread.onSpinWait();
          }
          place(move);
        };
    try (MoveWorker worker = worker(queue, transfer)) {
      worker.start();
      Eventually.holds(() -> assertThat(queue.list()).isEmpty());
      assertThat(nameNode.type("/file")).isEqualTo(StorageType.SSD);
    }
  }

  /** A file that is being written is tried again, and the files that were not seen are too. */
  @Test
  void aListingThatFailedIsRepeatedAlsoBesideAFileThatCannotBeMoved() throws Exception {
    for (int i = 0; i < 2 * FILES; i++) {
      nameNode.addFile("/directory/" + (FILES + i), StorageType.DISK);
    }
    fs.setStoragePolicy(new Path("/directory"), "ALL_SSD");
    fs.create(new Path("/directory/0"));
    MoveQueue queue = new MoveQueue(fs, QUEUE);
    queue.submit(new Path("/directory"));
    long inode = fs.getClient().getFileInfo("/directory").getFileId();
    AtomicBoolean breaks = new AtomicBoolean(true);
    ReplicaTransfer transfer =
        move -> {
          if (breaks.getAndSet(false)) {
            nameNode.breakNext(
                "getListing " + Inodes.path(inode), new NoClassDefFoundError("injected"));
          }
          place(move);
        };
    try (MoveWorker worker = worker(queue, transfer)) {
      worker.start();
      Eventually.holds(() -> assertThat(nameNode.misplaced("/directory")).isEqualTo(1));
      assertThat(nameNode.isToBreak()).isFalse();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aFullTierCostsTheNameNodeAFewCallsAFile() throws Exception {
    nameNode.room(StorageType.SSD, 0);
    MoveQueue queue = new MoveQueue(fs, QUEUE);
    for (int i = 0; i < FILES; i++) {
      nameNode.addFile("/full/" + i, StorageType.DISK);
      fs.setStoragePolicy(new Path("/full/" + i), "ALL_SSD");
      queue.submit(new Path("/full/" + i));
    }
    try (MoveWorker worker = worker(queue, this::place)) {
      long before = calls().getOrDefault("getLocatedFileInfo", 0L);
      worker.start();
      Eventually.holds(
          () -> assertThat(queue.list()).hasSize(FILES).noneMatch(MoveRequest::isOpen));
      assertThat(calls().get("getLocatedFileInfo") - before).isLessThan(FILES + 50);
      assertThat(calls().get("rename2")).isLessThanOrEqualTo(2 * FILES + 50);
      nameNode.room(StorageType.SSD, 1L << 40);
      // The mover's view of the cluster is some seconds old.
      Eventually.holds(
          () -> {
            queue.submit(new Path("/full/1"));
            assertThat(nameNode.type("/full/1")).isEqualTo(StorageType.SSD);
          });
    }
  }

  /** The directory's time of modification tells changes of different milliseconds apart. */
  private static void awaitNextMilli() {
    long now = System.currentTimeMillis();
    while (System.currentTimeMillis() == now) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aQueueThatRestsIsNotListed() throws Exception {
    MoveQueue queue = new MoveQueue(fs, QUEUE);
    for (int i = 0; i < FILES; i++) {
      nameNode.addFile("/resting/" + i, StorageType.DISK);
      queue.submit(new Path("/resting/" + i));
    }
    QueuePoll poll = new QueuePoll(queue);
    assertThat(poll.requests()).hasSize(FILES);
    poll.requests();
    long calls = nameNode.calls();
    for (int i = 0; i < 100; i++) {
      assertThat(poll.requests()).hasSize(FILES);
    }
    assertThat(nameNode.calls() - calls).isEqualTo(100);
    awaitNextMilli();
    queue.submit(new Path("/resting/0"));
    assertThat(poll.requests()).hasSize(FILES + 1);
  }
}
