package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.fastpath.cluster.Eventually;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Faults of a mapped block on real HDFS. Concurrent readers see right bytes or an exception of
 * HDFS, and nothing leaks. Equality with stock streams is {@link StreamContest}'s, on the same
 * cluster.
 */
class ZeroCopyFaultsTest {
  private static final int FILE_BYTES = 4 * TestHdfs.BLOCK_BYTES + 12_345;
  private static final String SKIP_CHECKSUMS = "dfs.client.read.shortcircuit.skip.checksum";
  private static final long SEED = Long.getLong("zcr.seed", System.nanoTime());

  private static TestHdfs hdfs;

  private final KnownBytes bytes = new KnownBytes(SEED, FILE_BYTES);

  @BeforeAll
  static void start() throws Exception {
    System.out.println("Replay with -Dzcr.seed=" + SEED);
    hdfs = new TestHdfs();
  }

  @AfterAll
  static void stop() throws Exception {
    hdfs.close();
  }

  /** After each test all file systems of ours are closed. */
  @AfterEach
  void nothingIsLeft() throws Exception {
    Leaks.requireNone(hdfs);
  }

  @Test
  void readsAsStockStreamsDo() throws Exception {
    org.apache.hadoop.fs.Path cached = hdfs.write("cached", bytes);
    hdfs.cache(cached);
    org.apache.hadoop.fs.Path uncached = hdfs.write("uncached", bytes);
    try (ZeroCopyFileSystem ours = hdfs.open(ZeroCopyOptions.MAPS_UNCACHED, "true")) {
      StreamContest contest = new StreamContest(hdfs.stock(), ours, bytes, SEED);
      long copied = ZeroCopyMetrics.copiedReads();
      contest.run(cached);
      assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
      copied = ZeroCopyMetrics.copiedReads();
      contest.run(uncached);
      assertThat(ZeroCopyMetrics.copiedReads()).isEqualTo(copied);
      ours.setVerifyChecksum(false);
      contest.run(uncached);
      assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
    }
    try (ZeroCopyFileSystem off = hdfs.open(ZeroCopyOptions.ENABLED, "false");
        var in = off.open(cached)) {
      assertThat(in).hasSameClassAs(hdfs.stock().open(cached));
    }
  }

  @Test
  void countsLikeStockStreams() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("counted", bytes);
    hdfs.cache(file);
    try (ZeroCopyFileSystem ours = hdfs.open();
        var in = (HdfsDataInputStream) ours.open(file)) {
      awaitSlice(ours, file);
      in.readFully(TestHdfs.BLOCK_BYTES - 50, new byte[100]);
      in.seek(10);
      in.releaseBuffer(in.read(null, 1000));
      assertThat(in.getReadStatistics().getTotalBytesRead()).isEqualTo(1100);
      assertThat(in.getReadStatistics().getTotalLocalBytesRead()).isEqualTo(1100);
      assertThat(in.getReadStatistics().getTotalShortCircuitBytesRead()).isEqualTo(1100);
      assertThat(in.getReadStatistics().getTotalZeroCopyBytesRead()).isEqualTo(1000);
      assertThat(in.getReadStatistics().getRemoteBytesRead()).isZero();
      assertThat(in.getPos()).isEqualTo(1010);
      assertThat(in.getCurrentBlock()).isEqualTo(hdfs.blocks(file).get(0).getBlock());
      assertThat(in.getCurrentDatanode()).isEqualTo(hdfs.blocks(file).get(0).getLocations()[0]);
      in.clearReadStatistics();
      assertThat(in.getReadStatistics().getTotalBytesRead()).isZero();
    }
  }

  /** The NameNode is asked for the blocks again. The thread of the first read is interrupted. */
  @Test
  void mapsAfterTheBlocksWereNotFound() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("not-found-at-first", bytes);
    long directive = hdfs.cache(file);
    String first = Integer.toString(TestHdfs.BLOCK_BYTES);
    try (ZeroCopyFileSystem ours = hdfs.open("dfs.client.read.prefetch.size", first);
        FSDataInputStream in = ours.open(file)) {
      Thread.currentThread().interrupt();
      try {
        in.readFully(0, new byte[100]);
      } catch (IOException e) {
        // The stock read may be interrupted too.
      } finally {
        Thread.interrupted();
      }
      long copied = ZeroCopyMetrics.copiedReads();
      Eventually.holds(
          () -> {
            in.readFully(0, new byte[100]);
            assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
          });
    }
    hdfs.uncache(directive);
  }

  @Test
  void survivesUncachingAndCachingAgain() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("in-and-out", bytes);
    long directive = hdfs.cache(file);
    try (ZeroCopyFileSystem ours = hdfs.open();
        Readers readers = Readers.inAllWays(ours, file, bytes, SEED, Readers.Pace.EAGER)) {
      awaitMapped(readers);
      try (Slice held = hold(ours, file)) {
        long removed = directive;
        awaitRetired(readers, () -> hdfs.uncache(removed), Retirement.UNCACHED);
        bytes.require(0, held.buffer());
      }
      directive = hdfs.cache(file);
      awaitMapped(readers);
      assertThat(readers.failures()).isZero();
    }
    hdfs.uncache(directive);
  }

  @Test
  void survivesRenameAndDelete() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("first-name", bytes);
    hdfs.cache(file);
    org.apache.hadoop.fs.Path renamed = new org.apache.hadoop.fs.Path("/second-name");
    try (ZeroCopyFileSystem ours = hdfs.open();
        Readers readers = Readers.inAllWays(ours, file, bytes, SEED, Readers.Pace.EAGER)) {
      awaitMapped(readers);
      hdfs.stock().rename(file, renamed);
      hdfs.cache(renamed);
      awaitMapped(readers);
      try (Slice held = hold(ours, renamed)) {
        assertThat(readers.failures()).isZero();
        // The DataNode unlocks the block's memory and deletes the replica, in either order.
        awaitRetired(
            readers,
            () -> hdfs.stock().delete(renamed, false),
            Retirement.INVALID,
            Retirement.UNCACHED);
        bytes.require(0, held.buffer());
      }
    }
  }

  /** The new one has no blocks until it is closed. */
  @Test
  void survivesAnotherFileOfItsName() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("same-name", bytes);
    hdfs.cache(file);
    try (ZeroCopyFileSystem ours = hdfs.open();
        Readers readers = Readers.inAllWays(ours, file, bytes, SEED, Readers.Pace.EAGER)) {
      awaitMapped(readers);
      try (Slice held = hold(ours, file);
          OutputStream other = hdfs.stock().create(file, true)) {
        Eventually.holds(
            () -> {
              readers.requireNothingWrong();
              assertThat(readers.failures()).isPositive();
            });
        bytes.require(0, held.buffer());
      }
    }
  }

  @Test
  void survivesTheDataNodesDeath() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("orphan", bytes);
    hdfs.cache(file);
    try (ZeroCopyFileSystem ours = hdfs.open();
        Readers readers = Readers.inAllWays(ours, file, bytes, SEED, Readers.Pace.EAGER)) {
      awaitMapped(readers);
      try (Slice held = hold(ours, file)) {
        awaitRetired(readers, () -> hdfs.dataNode().kill(), Retirement.INVALID);
        bytes.require(0, held.buffer());
      }
      hdfs.dataNode().restart();
      // A DataNode of Hadoop 3.5 reports no cache that is empty (HDFS-17339).
      hdfs.cache(hdfs.write("kept", new KnownBytes(SEED, 1)));
      hdfs.awaitCached(file);
      awaitMapped(readers);
    }
  }

  @Test
  void noticesATruncatedReplica() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("cut", bytes);
    hdfs.cache(file);
    Path replica = hdfs.replicaOf(hdfs.blocks(file).get(1));
    long fallbacks = ZeroCopyMetrics.fallbacks(Fallback.TRUNCATED);
    try (ZeroCopyFileSystem ours = hdfs.open();
        Readers readers = Readers.thatCopy(ours, file, bytes, SEED, Readers.Pace.EAGER)) {
      awaitMapped(readers);
      awaitRetired(readers, () -> truncate(replica), Retirement.TRUNCATED);
      long reads = readers.reads();
      Eventually.holds(() -> assertThat(readers.reads()).isGreaterThan(reads + 100));
      assertThat(ZeroCopyMetrics.fallbacks(Fallback.TRUNCATED)).isGreaterThan(fallbacks);
    }
    hdfs.stock().delete(file, false);
  }

  /** The stock stream closes the descriptor that it shares with the mapping. */
  @Test
  void anInterruptedStockReaderDoesNotMakeAReplicaTruncated() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("interrupted", bytes);
    long directive = hdfs.cache(file);
    long truncated = ZeroCopyMetrics.retired(Retirement.TRUNCATED);
    long fallbacks = ZeroCopyMetrics.fallbacks(Fallback.TRUNCATED);
    try (ZeroCopyFileSystem ours = hdfs.open();
        Readers readers = Readers.thatCopy(ours, file, bytes, SEED, Readers.Pace.EAGER)) {
      awaitMapped(readers);
      Mapping interrupted = Mappings.current().all().iterator().next();
      readInterrupted(ours, file);
      Eventually.holds(
          () -> {
            readers.requireNothingWrong();
            assertThat(interrupted.isRetired() || isAmong(interrupted)).isTrue();
            assertThat(Mappings.current().all().stream().map(Mapping::block))
                .contains(interrupted.block());
          });
      awaitMapped(readers);
      assertThat(ZeroCopyMetrics.retired(Retirement.TRUNCATED)).isEqualTo(truncated);
      assertThat(ZeroCopyMetrics.fallbacks(Fallback.TRUNCATED)).isEqualTo(fallbacks);
    }
    hdfs.uncache(directive);
  }

  private static boolean isAmong(Mapping mapping) {
    return Mappings.current().all().contains(mapping);
  }

  /** Reads every block by the stock stream of the same client, interrupted. */
  private static void readInterrupted(ZeroCopyFileSystem ours, org.apache.hadoop.fs.Path file)
      throws Exception {
    Thread reader =
        new Thread(
            () -> {
              try (DFSInputStream stock = ours.getClient().open(file.toUri().getPath())) {
                for (long at = 0; at < stock.getFileLength(); at += TestHdfs.BLOCK_BYTES) {
                  Thread.currentThread().interrupt();
                  readOnce(stock, at);
                }
              } catch (IOException e) {
                // It was interrupted.
              }
            });
    reader.start();
    reader.join();
  }

  private static void readOnce(DFSInputStream stock, long at) {
    try {
      stock.read(at, new byte[1], 0, 1);
    } catch (IOException e) {
      // It was interrupted.
    }
  }

  /**
   * A hard link, as an upgrade makes, has the DataNode write the block into another file: the old
   * mapping keeps the old bytes for ever.
   */
  @Test
  void aBlockThatWasTruncatedAndAppendedToIsMappedAnew() throws Exception {
    KnownBytes old = new KnownBytes(SEED, TestHdfs.BLOCK_BYTES);
    org.apache.hadoop.fs.Path file = hdfs.write("rewritten", old);
    Path replica = hdfs.replicaOf(hdfs.blocks(file).get(0));
    Path link = Files.createLink(replica.resolveSibling("kept"), replica);
    try (ZeroCopyFileSystem ours =
        hdfs.open(ZeroCopyOptions.MAPS_UNCACHED, "true", SKIP_CHECKSUMS, "true")) {
      Mapping stale = readUntilMapped(ours, file, old.all());
      byte[] expected = rewriteTail(file, old.all());
      byte[] now = readFully(ours, file);
      assertThat(Arrays.equals(now, expected)).isTrue();
      assertThat(stale.isRetired()).isTrue();
      assertThat(Mappings.current().all()).hasSize(1);
    } finally {
      Files.deleteIfExists(link);
    }
    hdfs.stock().delete(file, false);
  }

  /** A busy DataNode may refuse the first request. The reason is then in the output. */
  private static Mapping readUntilMapped(
      ZeroCopyFileSystem ours, org.apache.hadoop.fs.Path file, byte[] expected) throws Exception {
    Eventually.holds(
        () -> {
          assertThat(readFully(ours, file)).isEqualTo(expected);
          if (Mappings.current().all().isEmpty()) {
            System.out.println("Not mapped: " + fallbacks());
          }
          assertThat(Mappings.current().all()).hasSize(1);
        });
    return Mappings.current().all().iterator().next();
  }

  private static Map<Fallback, Long> fallbacks() {
    return Arrays.stream(Fallback.values())
        .collect(Collectors.toMap(why -> why, ZeroCopyMetrics::fallbacks));
  }

  private static byte[] readFully(ZeroCopyFileSystem ours, org.apache.hadoop.fs.Path file)
      throws IOException {
    byte[] all = new byte[TestHdfs.BLOCK_BYTES];
    try (FSDataInputStream in = ours.open(file)) {
      in.readFully(0, all);
    }
    return all;
  }

  /** Truncates a file to its half, appends other bytes and returns the content. */
  private static byte[] rewriteTail(org.apache.hadoop.fs.Path file, byte[] old) throws Exception {
    int half = old.length / 2;
    if (!hdfs.stock().truncate(file, half)) {
      Eventually.holds(() -> assertThat(hdfs.stock().isFileClosed(file)).isTrue());
    }
    byte[] expected = old.clone();
    Arrays.fill(expected, half, expected.length, (byte) 77);
    try (OutputStream out = hdfs.stock().append(file)) {
      out.write(expected, half, expected.length - half);
    }
    hdfs.awaitReplicas(file);
    return expected;
  }

  @Test
  void staysWithinItsLimits() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("many-blocks", bytes);
    hdfs.cache(file);
    long replaced = ZeroCopyMetrics.retired(Retirement.REPLACED);
    long refused = ZeroCopyMetrics.fallbacks(Fallback.LIMIT);
    try (ZeroCopyFileSystem ours =
            hdfs.open(
                ZeroCopyOptions.MAX_MAPPINGS, "3",
                ZeroCopyOptions.MAX_MAPPED_BYTES, "2500k");
        Readers readers = Readers.inAllWays(ours, file, bytes, SEED, Readers.Pace.EAGER)) {
      Eventually.holds(
          () -> {
            readers.requireNothingWrong();
            assertThat(Mappings.current().reservedMappings()).isLessThanOrEqualTo(3);
            assertThat(Mappings.current().reservedBytes()).isLessThanOrEqualTo(2500 << 10);
            assertThat(ZeroCopyMetrics.retired(Retirement.REPLACED)).isGreaterThan(replaced);
            assertThat(ZeroCopyMetrics.fallbacks(Fallback.LIMIT)).isGreaterThan(refused);
          });
      assertThat(readers.failures()).isZero();
    }
  }

  @Test
  void unmapsWhatNobodyReads() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("once", bytes);
    hdfs.cache(file);
    AtomicLong idle = new AtomicLong();
    try (ZeroCopyFileSystem ours = hdfs.open(ZeroCopyOptions.IDLE_MILLIS, "200");
        var in = ours.open(file)) {
      awaitSlice(ours, file);
      try (Slice held = hold(ours, file)) {
        Eventually.holds(
            () -> {
              // A stream that has failed to map a block tries again later.
              idle.set(ZeroCopyMetrics.retired(Retirement.IDLE));
              in.readFully(3 * TestHdfs.BLOCK_BYTES, new byte[10]);
              assertThat(Mappings.current().all()).hasSize(2);
              assertThat(ZeroCopyMetrics.retired(Retirement.IDLE)).isEqualTo(idle.get());
            });
        Eventually.holds(
            () -> assertThat(ZeroCopyMetrics.retired(Retirement.IDLE)).isEqualTo(idle.get() + 1));
        assertThat(Mappings.current().all()).hasSize(1);
        bytes.require(0, held.buffer());
      }
      Eventually.holds(() -> assertThat(ZeroCopyMetrics.mappings()).isZero());
    }
  }

  @Test
  void keepsNothingOpenBesidesMappings() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("cached-late", bytes);
    try (ZeroCopyFileSystem ours = hdfs.open(ZeroCopyOptions.IDLE_MILLIS, "200");
        var in = ours.open(file)) {
      in.readFully(new byte[10]);
      assertThat(MappedFiles.open()).isNotEmpty();
      hdfs.cache(file);
      long copied = ZeroCopyMetrics.copiedReads();
      Eventually.holds(
          () -> {
            in.readFully(new byte[10]);
            assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
          });
      Eventually.holds(() -> assertThat(MappedFiles.open()).isEmpty());
    }
  }

  @Test
  @DisabledForJreRange(
      min = JRE.JAVA_21,
      disabledReason = "JDK 21 removed MetaspaceReclaimPolicy, so the JVM itself needs maps")
  void readsTheStockWayWhenTheKernelMapsNoMore() throws Exception {
    org.apache.hadoop.fs.Path mapped = hdfs.write("mapped-before", bytes);
    org.apache.hadoop.fs.Path file = hdfs.write("not-mapped", bytes);
    hdfs.cache(mapped);
    hdfs.cache(file);
    List<String> lines = atTheLimitOfMaps(mapped, file);
    saidOnce(lines, "Set vm.max_map_count higher or dfs.fastpath.zcr.max-mappings lower");
    assertThat(lines).contains("mapped in the end");
  }

  /** Returns a JVM at that limit may itself not get a map that it needs: it says so, and ends. */
  private List<String> atTheLimitOfMaps(
      org.apache.hadoop.fs.Path mapped, org.apache.hadoop.fs.Path file) {
    for (int left = 2; ; left--) {
      try {
        return hdfs.run(
            MapExhaustion.class,
            client ->
                client.jvmFlags(
                    "-XX:+UseSerialGC",
                    "-Xms512m",
                    "-XX:+AlwaysPreTouch",
                    "-XX:-SegmentedCodeCache",
                    "-XX:InitialCodeCacheSize=48m",
                    "-XX:ReservedCodeCacheSize=48m",
                    "-XX:-UseDynamicNumberOfCompilerThreads",
                    "-XX:MetaspaceReclaimPolicy=none"),
            mapped,
            file,
            SEED,
            FILE_BYTES);
      } catch (AssertionError e) {
        boolean ended = e.getMessage().contains("insufficient memory for the Java Runtime");
        if (!ended || left == 0) {
          throw e;
        }
      }
    }
  }

  @Test
  void saysOnceWhatToSetAndReadsTheStockWay() throws Exception {
    List<String> lines =
        readWith(
            true,
            "dfs.fastpath.zcr.enabled=true",
            "dfs.client.read.shortcircuit=false",
            "dfs.client.mmap.enabled=false",
            "dfs.domain.socket.path=/nowhere/socket",
            "dfs.domain.socket.path=");
    assertThat(lines)
        .noneMatch(line -> line.matches("dfs.fastpath.zcr.enabled=true: .* 0 reads .*"))
        .anyMatch(line -> line.startsWith("dfs.fastpath.zcr.enabled=true: right bytes"))
        .contains(
            "dfs.client.read.shortcircuit=false: right bytes, 0 reads from mappings",
            "dfs.client.mmap.enabled=false: right bytes, 0 reads from mappings",
            "dfs.domain.socket.path=/nowhere/socket: right bytes, 0 reads from mappings");
    saidOnce(
        lines, "dfs.client.read.shortcircuit is false; set it to true, here and for DataNodes");
    saidOnce(lines, "dfs.client.mmap.enabled is false; set it to true");
    saidOnce(
        lines, "offers no short-circuit reads at /nowhere/socket, so its replicas are not mapped");
    // Without a path, no client of HDFS starts.
    assertThat(lines)
        .anyMatch(
            line -> line.matches("dfs.domain.socket.path=: .* dfs.domain.socket.path is not.*"));
  }

  @Test
  void saysOnceThatLibhadoopIsMissing() throws Exception {
    List<String> lines = readWith(false, "dfs.fastpath.zcr.enabled=true");
    assertThat(lines).contains("dfs.fastpath.zcr.enabled=true: right bytes, 0 reads from mappings");
    saidOnce(
        lines,
        "HDFS's stock streams read everything: libhadoop is not loaded; put the directory that"
            + " holds libhadoop.so into LD_LIBRARY_PATH or -Djava.library.path");
  }

  /** Returns the output of a process that reads a cached file with each of these settings. */
  private List<String> readWith(boolean libhadoop, String... settings) throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("read-by-another", bytes);
    hdfs.cache(file);
    List<Object> args = new ArrayList<>(List.of(file, SEED, FILE_BYTES));
    args.addAll(List.of(settings));
    return hdfs.run(ReaderProgram.class, client -> client.libhadoop(libhadoop), args.toArray());
  }

  private static void saidOnce(List<String> lines, String what) {
    assertThat(lines).filteredOn(line -> line.contains(what)).hasSize(1);
  }

  @Test
  void aSliceOutlivesItsStreamAndFileSystem() throws Exception {
    org.apache.hadoop.fs.Path file = hdfs.write("long-lived", bytes);
    hdfs.cache(file);
    Slice held;
    try (ZeroCopyFileSystem ours = hdfs.open()) {
      held = hold(ours, file);
    }
    assertThat(Mappings.current()).isNull();
    assertThat(ZeroCopyMetrics.draining()).isEqualTo(1);
    bytes.require(0, held.buffer());
    held.close();
  }

  /**
   * Returns the start of the first block, kept by a stream that is closed already; null if not
   * mapped.
   */
  private static Slice hold(ZeroCopyFileSystem ours, org.apache.hadoop.fs.Path file)
      throws Exception {
    try (ZeroCopyInputStream in = (ZeroCopyInputStream) ours.open(file)) {
      return in.slice(0, 100_000);
    }
  }

  /** Waits until the first block is mapped, which a stream that has failed to tries again later. */
  private static void awaitSlice(ZeroCopyFileSystem ours, org.apache.hadoop.fs.Path file)
      throws Exception {
    Eventually.holds(
        () -> {
          try (Slice slice = hold(ours, file)) {
            assertThat(slice).isNotNull();
          }
        });
  }

  /** To somewhere in the middle of a page. */
  private static void truncate(Path replica) throws IOException {
    try (FileChannel channel = FileChannel.open(replica, StandardOpenOption.WRITE)) {
      channel.truncate(300_001);
    }
  }

  /** Waits until all blocks are mapped and read. */
  private static void awaitMapped(Readers readers) throws Exception {
    long copied = ZeroCopyMetrics.copiedReads();
    Eventually.holds(
        () -> {
          readers.requireNothingWrong();
          assertThat(Mappings.current().all()).hasSize(5);
          assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied + 100);
        });
  }

  /** Does something to the mappings and waits until one was given up for one of the reasons. */
  private static void awaitRetired(Readers readers, Fault fault, Retirement... whys)
      throws Exception {
    long before = retired(whys);
    fault.happen();
    Eventually.holds(
        () -> {
          readers.requireNothingWrong();
          assertThat(retired(whys)).isGreaterThan(before);
        });
  }

  private static long retired(Retirement... whys) {
    return Arrays.stream(whys).mapToLong(ZeroCopyMetrics::retired).sum();
  }

  @FunctionalInterface
  private interface Fault {
    void happen() throws Exception;
  }
}
