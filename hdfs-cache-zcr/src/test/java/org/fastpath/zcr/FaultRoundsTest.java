package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.Eventually;
import org.junit.jupiter.api.Test;

/**
 * Rounds of faults on files with two replicas. Readers read all the time and check every byte.
 * There is no wrong byte, no crash, no failed read while a good replica exists, and no leak at the
 * end. Most rounds affect one of several files and run concurrently. Some affect all files: a fault
 * of a DataNode, the NameNode or, in the nightly run, a volume. Half of those for files are at the
 * limit of mappings.
 *
 * <p>The system property {@code zcr.rounds} says how many there are for files, {@code zcr.seed}
 * repeats the choices of a run, though not its interleaving.
 */
class FaultRoundsTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final int ROUNDS = Integer.getInteger("zcr.rounds", NIGHTLY ? 4_000 : 208);
  private static final int ROUNDS_BETWEEN = 104;
  private static final int FILES = 20;
  private static final int PLENTY = 1_000;
  private static final int FEW = 9;
  private static final long SEED = Long.getLong("zcr.seed", System.nanoTime());

  private final Random random = new Random(SEED);
  private final Map<FaultedFile.Fault, Integer> happened = new EnumMap<>(FaultedFile.Fault.class);
  private final List<FaultedFile> files = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(FILES);
  private TestHdfs hdfs;

  @Test
  void readersAreSafe() throws Exception {
    System.out.println("Replay with -Dzcr.seed=" + SEED);
    hdfs = TestHdfs.withTwoReplicas();
    try {
      for (int done = 0; done < ROUNDS; done += 2 * ROUNDS_BETWEEN) {
        rounds(PLENTY);
        long refused = ZeroCopyMetrics.fallbacks(Fallback.LIMIT);
        rounds(FEW);
        assertThat(ZeroCopyMetrics.fallbacks(Fallback.LIMIT)).isGreaterThan(refused);
      }
      System.out.println("Faults of files: " + happened);
    } finally {
      threads.shutdownNow();
      hdfs.close();
    }
  }

  private void rounds(int limit) throws Exception {
    try (ZeroCopyFileSystem ours =
        hdfs.open(
            ZeroCopyOptions.MAX_MAPPINGS,
            Integer.toString(limit),
            // A stock stream remembers DataNodes that failed, and asks them again if it may retry.
            "dfs.client.max.block.acquire.failures",
            "10")) {
      try {
        for (int i = 0; i < FILES; i++) {
          files.add(new FaultedFile(hdfs, ours, "file-" + i, limit == PLENTY, random.nextLong()));
        }
        if (happened.isEmpty()) {
          ofEach(FaultedFile::requireAlive);
          happens(this::aVolumeIsRemoved);
        }
        AtomicInteger left = new AtomicInteger(ROUNDS_BETWEEN);
        ofEach(file -> roundsOf(file, left, limit));
        if (limit == PLENTY) {
          serversFail();
        }
      } catch (Exception | Error e) {
        closeFiles(e);
        throw e;
      }
      closeFiles(null);
    }
    Leaks.requireNone(hdfs);
    Eventually.holds(() -> assertThat(hdfs.lockedKilobytes()).isZero());
  }

  /** Closes all, whatever happens to one of them. */
  private void closeFiles(Throwable failed) throws Exception {
    try {
      ofEach(FaultedFile::close);
    } catch (Exception e) {
      if (failed == null) {
        throw e;
      }
      failed.addSuppressed(e);
    } finally {
      files.clear();
    }
  }

  private void roundsOf(FaultedFile file, AtomicInteger left, int limit) throws Exception {
    while (left.getAndDecrement() > 0) {
      round(file);
      assertThat(Mappings.current().reservedMappings()).isLessThanOrEqualTo(limit);
    }
  }

  private void round(FaultedFile file) throws Exception {
    FaultedFile.Fault fault = file.round();
    synchronized (happened) {
      happened.merge(fault, 1, Integer::sum);
    }
  }

  /** Does it for all files at the same time, and waits. */
  private void ofEach(Work work) throws Exception {
    List<Callable<Void>> all = new ArrayList<>();
    for (FaultedFile file : files) {
      all.add(
          () -> {
            work.on(file);
            return null;
          });
    }
    for (Future<Void> done : threads.invokeAll(all)) {
      done.get();
    }
  }

  @FunctionalInterface
  private interface Work {
    void on(FaultedFile file) throws Exception;
  }

  /** Of the files that are there, and those that come after, no read fails. */
  private void serversFail() throws Exception {
    ofEach(FaultedFile::requireAlive);
    happens(this::aDataNodeDies);
    happens(this::theNameNodeIsRestarted);
    ofEach(this::round);
  }

  /** Concurrent reads return the same bytes. */
  private void happens(Event event) throws Exception {
    ofEach(FaultedFile::keepSlice);
    event.happen();
    ofEach(FaultedFile::giveSliceBack);
  }

  @FunctionalInterface
  private interface Event {
    void happen() throws Exception;
  }

  private void aDataNodeDies() throws Exception {
    Daemon node = hdfs.owner(anyMappedReplica());
    Set<Mapping> itsMappings = mappingsBelow(node.dataDirectories());
    node.kill();
    awaitRetired(itsMappings);
    ofEach(FaultedFile::requireReads);
    node.restart();
    ofEach(FaultedFile::awaitReplicas);
  }

  /**
   * Removes a volume, first of all, before any deletion. A DataNode counts the readers of a volume,
   * and its removal waits until there are none. If a reader asks for a block during its deletion,
   * the count stays wrong and the removal waits for ever. BlockSender releases the volume only
   * after an IOException (HDFS-17503), and FsDatasetImpl's invalidateMissingBlock throws a
   * NullPointerException.
   */
  private void aVolumeIsRemoved() throws Exception {
    Path victim = anyMappedReplica();
    Daemon node = hdfs.owner(victim);
    List<Path> volumes = node.dataDirectories();
    List<Path> removed = volumes.stream().filter(victim::startsWith).toList();
    List<Path> kept = volumes.stream().filter(volume -> !removed.contains(volume)).toList();
    Set<Mapping> itsMappings = mappingsBelow(removed);
    hdfs.useVolumes(node, kept);
    awaitRetired(itsMappings);
    ofEach(FaultedFile::requireReads);
    hdfs.useVolumes(node, volumes);
    ofEach(FaultedFile::awaitReplicas);
  }

  private void theNameNodeIsRestarted() throws Exception {
    hdfs.nameNode().kill();
    ofEach(FaultedFile::requireReads);
    hdfs.restartNameNode();
    ofEach(FaultedFile::awaitReplicas);
    ofEach(FaultedFile::requireReads);
  }

  private static Path anyMappedReplica() throws Exception {
    Eventually.holds(() -> assertThat(MappedFiles.now()).isNotEmpty());
    return MappedFiles.now().get(0);
  }

  private static Set<Mapping> mappingsBelow(List<Path> directories) throws Exception {
    Set<String> names =
        MappedFiles.now().stream()
            .filter(replica -> directories.stream().anyMatch(replica::startsWith))
            .map(replica -> replica.getFileName().toString())
            .collect(Collectors.toSet());
    return Mappings.current().all().stream()
        .filter(mapping -> names.contains("blk_" + mapping.block().id().getBlockId()))
        .collect(Collectors.toSet());
  }

  private static void awaitRetired(Set<Mapping> mappings) throws Exception {
    Eventually.holds(() -> assertThat(mappings).allMatch(Mapping::isRetired));
  }
}
