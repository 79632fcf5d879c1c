package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.FileLink;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.fastpath.cluster.Daemon;
import org.fastpath.offheap.cache.JoinedCache;
import org.fastpath.offheap.reader.Scanners;
import org.fastpath.zcr.TestHdfs;
import org.junit.jupiter.api.Test;

/**
 * Faults of HDFS and changes of the cache while the off-heap reader scans mapped replicas and
 * cached blocks. Each file has two replicas and is read by a link, like the file of a clone. No
 * cell is wrong, nothing crashes, and nothing is held at the end. No scan fails while a good
 * replica exists. Of three files, two have freed memory that is overwritten at once, and one has
 * room for a single mapping.
 */
class JoinedFaultsTest {
  private static final long SEED = Long.getLong("zcr.seed", System.nanoTime());
  private static final int FILES = Boolean.getBoolean("nightly") ? 12 : 1;
  private static final int ROWS = 4_000;
  private static final int PAGE_BYTES = 4096;
  private static final String CACHE = "16m";
  private static final String SMALL_CACHE = "8m";
  private static final List<DataBlockEncoding> ENCODINGS =
      List.of(DataBlockEncoding.NONE, DataBlockEncoding.FAST_DIFF, DataBlockEncoding.ROW_INDEX_V1);

  /** The faults that a file survives. */
  private enum Fault {
    UNCACHED,
    EVICTED,
    RESIZED,
    ARCHIVED,
    DATANODE_KILLED,
    NAMENODE_RESTARTED
  }

  private final Random random = new Random(SEED);

  @Test
  void noCellIsWrong() throws Exception {
    System.out.println("Replay with -Dzcr.seed=" + SEED);
    try (TestHdfs hdfs = TestHdfs.withTwoReplicas()) {
      int first = random.nextInt(ENCODINGS.size());
      for (int number = first; number < first + FILES; number++) {
        try (StoreFile file = new StoreFile(hdfs, number)) {
          file.suffer();
        }
        assertThat(BlockMetrics.live()).isZero();
        assertThat(BlockMetrics.openFiles()).isZero();
        assertThat(TestHdfs.slices()).isZero();
        assertThat(IndexBudget.usedBytes()).isZero();
      }
    }
  }

  private final class StoreFile implements AutoCloseable {
    private final TestHdfs hdfs;
    private final HFiles files;
    private final JoinedCache cache;
    private final boolean copies;
    private final Path archived;
    private final FileLink link;
    private final List<byte[]> cells;
    private Path file;
    private long directive;

    StoreFile(TestHdfs hdfs, int number) throws Exception {
      this.hdfs = hdfs;
      copies = number % 3 != 0;
      files =
          new HFiles(
              hdfs,
              "dfs.fastpath.zcr.debug",
              Boolean.toString(copies),
              "dfs.fastpath.zcr.max-mappings",
              number % 3 == 1 ? "1" : "1000",
              // HDFS's client asks DataNodes that failed again, if it may retry.
              "dfs.client.max.block.acquire.failures",
              "10");
      cache = new JoinedCache(files.conf(), CACHE, copies);
      DataBlockEncoding encoding = ENCODINGS.get(number % ENCODINGS.size());
      file = files.write("faults-" + number, encoding, ROWS, random);
      archived = new Path("/archive/faults-" + number);
      hdfs.stock().mkdirs(archived.getParent());
      link = new FileLink(file, archived);
      hdfs.awaitReplicas(file);
      try (HFile.Reader stock = files.stock(file)) {
        cells = CheckedScans.all(stock.getScanner(files.conf(), false, true));
      }
      directive = hdfs.cache(file);
    }

    /** Survives all faults in random order and ends with one that is fatal. */
    void suffer() throws Exception {
      List<Fault> faults = new ArrayList<>(List.of(Fault.values()));
      Collections.shuffle(faults, random);
      HFile.Reader reader = files.joined(link, cache.both());
      Scanners scanners = new Scanners(reader, files.conf());
      scanners.prepare();
      try (CheckedScans scans = new CheckedScans(scanners, cells, random.nextLong())) {
        long mapped = BlockMetrics.blocks();
        scans.awaitScans();
        assertThat(BlockMetrics.blocks()).isGreaterThan(mapped);
        for (Fault fault : faults) {
          happen(fault, scans);
          scans.awaitScans();
          scans.requireNoFailures();
        }
        if (copies && random.nextBoolean()) {
          truncate();
        } else {
          hdfs.stock().delete(file, false);
        }
        scans.awaitScans();
      } finally {
        scanners.close();
        reader.close(true);
      }
    }

    private void happen(Fault fault, CheckedScans scans) throws Exception {
      switch (fault) {
        case UNCACHED -> {
          hdfs.uncache(directive);
          scans.awaitScans();
          directive = hdfs.cache(file);
        }
        case EVICTED -> cache.both().evictBlocksByHfileName(file.getName());
        case RESIZED -> {
          cache.resize(SMALL_CACHE);
          scans.awaitScans();
          cache.resize(CACHE);
        }
        case ARCHIVED -> {
          assertThat(hdfs.stock().rename(file, archived)).isTrue();
          file = archived;
          scans.awaitScans();
          hdfs.uncache(directive);
          directive = hdfs.cache(file);
        }
        case DATANODE_KILLED -> {
          Daemon node = hdfs.owner(hdfs.replicaOf(block()));
          node.kill();
          scans.awaitScans();
          node.restart();
          hdfs.awaitReplicas(file);
        }
        case NAMENODE_RESTARTED -> {
          hdfs.nameNode().kill();
          scans.awaitScans();
          hdfs.restartNameNode();
          hdfs.awaitReplicas(file);
        }
      }
    }

    private LocatedBlock block() throws IOException {
      List<LocatedBlock> blocks = hdfs.blocks(file);
      return blocks.get(random.nextInt(blocks.size()));
    }

    /**
     * Truncates a replica at a page, of a file whose blocks are copies. In the middle of a page the
     * rest would read as zeros, which the scans of that millisecond do not notice. Cells in a
     * mapping read their own lengths again. After a fault these may be anything, and a copy of such
     * a cell may end the JVM.
     */
    private void truncate() throws IOException {
      try (FileChannel replica =
          FileChannel.open(hdfs.replicaOf(block()), StandardOpenOption.WRITE)) {
        replica.truncate(replica.size() / 3 & -PAGE_BYTES);
      }
    }

    @Override
    public void close() throws Exception {
      hdfs.uncache(directive);
      hdfs.stock().delete(file, false);
      files.close();
      assertThat(cache.leaks()).isEmpty();
      cache.close();
    }
  }
}
