package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.fastpath.cluster.Eventually;

/**
 * A cached file with two replicas and readers, and random faults in sequence. It survives some
 * faults and ends with another; then a new file replaces it. For one thread.
 *
 * <p>Readers of a renamed file open it again by its new name when that was seen to do them no harm.
 * When all known DataNodes have failed once, a stock stream asks for new locations by its original
 * name. The next failure would be the last.
 */
final class FaultedFile implements AutoCloseable {
  private static final int MAX_BYTES = 3 * TestHdfs.BLOCK_BYTES;
  private static final int MAX_SURVIVED = 4;
  private static final int READS_OF_A_ROUND = 20;
  private static final Fault[] SURVIVED = {Fault.UNCACHED, Fault.RENAMED};
  private static final Fault[] LAST = {Fault.DELETED, Fault.OVERWRITTEN, Fault.TRUNCATED};

  /** The faults of a file. */
  enum Fault {
    UNCACHED,
    RENAMED,
    DELETED,
    OVERWRITTEN,
    TRUNCATED
  }

  private final TestHdfs hdfs;
  private final ZeroCopyFileSystem ours;
  private final String name;
  private final boolean roomForAll;
  private final Random random;
  private final Deque<Fault> faults = new ArrayDeque<>();

  private int names;
  private KnownBytes bytes;
  private Path file;
  private Path opened;
  private Set<ExtendedBlockId> blocks;
  private ExtendedBlockId first;
  private Long directive;
  private Readers readers;
  private Slice kept;

  /**
   * Makes one.
   *
   * @param roomForAll whether its blocks can be mapped whatever others are
   */
  FaultedFile(TestHdfs hdfs, ZeroCopyFileSystem ours, String name, boolean roomForAll, long seed) {
    this.hdfs = hdfs;
    this.ours = ours;
    this.name = name;
    this.roomForAll = roomForAll;
    random = new Random(seed);
  }

  /** Causes the next fault, waits for its end and returns it. */
  Fault round() throws Exception {
    requireAlive();
    Fault fault = faults.remove();
    Set<Mapping> concerned = mappings();
    if (fault == Fault.TRUNCATED) {
      concerned.removeIf(mapping -> !mapping.block().id().equals(first));
    }
    try (Slice held = hold()) {
      happen(fault);
      awaitRetired(concerned);
      if (held != null && fault != Fault.TRUNCATED) {
        bytes.require(0, held.buffer());
      }
    }
    awaitReads();
    if (faults.isEmpty()) {
      close();
    } else {
      readers.requireNoFailures();
      cacheAgain();
      openAgain();
      awaitMapped();
    }
    return fault;
  }

  /** There is a file with readers that has not met its end. */
  void requireAlive() throws Exception {
    if (readers != null) {
      return;
    }
    for (int i = random.nextInt(MAX_SURVIVED); i > 0; i--) {
      faults.add(SURVIVED[random.nextInt(SURVIVED.length)]);
    }
    faults.add(LAST[random.nextInt(LAST.length)]);
    bytes = randomBytes();
    file = hdfs.write(newName(), bytes);
    directive = hdfs.cache(file);
    List<LocatedBlock> located = hdfs.blocks(file);
    blocks = located.stream().map(FaultedFile::id).collect(Collectors.toSet());
    first = id(located.get(0));
    readers = readers();
    awaitMapped();
  }

  private static ExtendedBlockId id(LocatedBlock block) {
    return ExtendedBlockId.fromExtendedBlock(block.getBlock());
  }

  private Readers readers() throws IOException {
    opened = file;
    long seed = random.nextLong();
    return faults.getLast() == Fault.TRUNCATED
        ? Readers.thatCopy(ours, file, bytes, seed, Readers.Pace.EASY)
        : Readers.inAllWays(ours, file, bytes, seed, Readers.Pace.EASY);
  }

  private KnownBytes randomBytes() {
    return new KnownBytes(random.nextLong(), 1 + random.nextInt(MAX_BYTES));
  }

  private String newName() {
    return name + "-" + names++;
  }

  private void happen(Fault fault) throws Exception {
    switch (fault) {
      case UNCACHED -> uncache();
      case RENAMED -> rename();
      case DELETED -> hdfs.stock().delete(file, false);
      case OVERWRITTEN -> hdfs.write(file.getName(), randomBytes());
      case TRUNCATED -> truncate();
    }
  }

  private void rename() throws IOException {
    Path renamed = new Path("/" + newName());
    hdfs.stock().rename(file, renamed);
    file = renamed;
    uncache();
  }

  private void uncache() throws IOException {
    if (directive != null) {
      hdfs.uncache(directive);
      directive = null;
    }
  }

  /** Not while a slice is held: until it is given back, DataNodes have the block neither way. */
  private void cacheAgain() throws Exception {
    directive = hdfs.cache(file);
  }

  private void openAgain() throws IOException {
    if (!opened.equals(file)) {
      readers.close();
      readers = readers();
    }
  }

  /** A replica of the first block, the mapped one if there is one, to somewhere in the middle. */
  private void truncate() throws IOException {
    LocatedBlock block = hdfs.blocks(file).get(0);
    try (FileChannel channel = FileChannel.open(hdfs.replicaOf(block), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 3);
    }
  }

  private void awaitRetired(Set<Mapping> concerned) throws Exception {
    Eventually.holds(
        () -> {
          readers.requireNothingWrong();
          assertThat(concerned).allMatch(Mapping::isRetired);
        });
  }

  private void awaitMapped() throws Exception {
    int wanted = roomForAll ? blocks.size() : 0;
    Eventually.holds(
        () -> {
          readers.requireNothingWrong();
          assertThat(mappings()).hasSizeGreaterThanOrEqualTo(wanted);
        });
  }

  /** Waits until the NameNode knows its blocks on all DataNodes. */
  void awaitReplicas() throws Exception {
    hdfs.awaitReplicas(file);
  }

  /** No read fails, now or so far: there was another replica all the time. */
  void requireReads() throws Exception {
    awaitReads();
    readers.requireNoFailures();
  }

  /** Waits for some reads to have ended since, well or not. */
  private void awaitReads() throws Exception {
    long reads = readers.reads() + readers.failures();
    Eventually.holds(
        () -> {
          readers.requireNothingWrong();
          assertThat(readers.reads() + readers.failures()).isGreaterThan(reads + READS_OF_A_ROUND);
        });
  }

  /** Holds on to a slice, if the file's start is mapped, whatever happens next. */
  void keepSlice() throws IOException {
    kept = hold();
  }

  /** The slice still has the right bytes. */
  void giveSliceBack() {
    if (kept != null) {
      bytes.require(0, kept.buffer());
      kept.close();
      kept = null;
    }
  }

  private Set<Mapping> mappings() {
    return Mappings.current().all().stream()
        .filter(mapping -> blocks.contains(mapping.block().id()))
        .filter(mapping -> !mapping.isRetired())
        .collect(Collectors.toSet());
  }

  /**
   * Returns the start of the file, by a stream that is closed already; null if it is not mapped.
   */
  private Slice hold() throws IOException {
    try (ZeroCopyInputStream in = (ZeroCopyInputStream) ours.open(file)) {
      return in.slice(0, bytes.length());
    }
  }

  /** Ends its life. */
  @Override
  public void close() throws IOException {
    if (readers == null) {
      return;
    }
    faults.clear();
    try {
      readers.close();
    } finally {
      readers = null;
    }
    uncache();
    hdfs.stock().delete(file, false);
  }
}
