package org.fastpath.zcr;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.StockStreams;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks of an open file, each with its last mapping, if any. If a block could not be mapped,
 * the reason is kept, and no read retries for a second. The same holds for the list of blocks.
 * Thread-safe; it holds no pins.
 */
final class FileBlocks {
  private static final Logger LOG = LoggerFactory.getLogger(FileBlocks.class);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final AtomicBoolean LOGGED = new AtomicBoolean();
  private static final Block[] NONE = {};

  private final String file;
  private final DFSInputStream stock;
  private final long length;
  private final LocalReplicas replicas;
  private final Mappings mappings;

  private volatile Blocks blocks = new Blocks(NONE);
  private volatile boolean loaded;

  /** The failure of the last attempt to load the blocks, or null. */
  private volatile Failure notLoaded;

  FileBlocks(String file, DFSInputStream stock, LocalReplicas replicas, Mappings mappings) {
    this.file = file;
    this.stock = stock;
    this.length = stock.getFileLength();
    this.replicas = replicas;
    this.mappings = mappings;
  }

  long length() {
    return length;
  }

  /** Returns the block at an offset within the file, or null if it is unknown for any reason. */
  Block at(long offset) {
    if (!loaded && mayLoad()) {
      load();
    }
    return blocks.at(offset);
  }

  /** As {@link #at}; null also if that would ask the NameNode. */
  Block known(long offset) {
    return loaded ? blocks.at(offset) : null;
  }

  private boolean mayLoad() {
    Failure last = notLoaded;
    return last == null || !last.holds(true);
  }

  private synchronized void load() {
    if (loaded || !mayLoad()) {
      return;
    }
    try {
      blocks = new Blocks(blocks(stock.getAllBlocks()));
      loaded = true;
    } catch (IOException | RuntimeException | LinkageError e) {
      notLoaded = new Failure(Fallback.FAILED, false);
      failed(e);
    }
  }

  private Block[] blocks(List<LocatedBlock> located) {
    Block[] found = new Block[located.size()];
    long end = 0;
    for (int i = 0; i < found.length; i++) {
      LocatedBlock block = located.get(i);
      if (block.getStartOffset() != end) {
        return NONE;
      }
      found[i] = new Block(block);
      end += block.getBlockSize();
    }
    return end == length ? found : NONE;
  }

  /** Logs the first failure with its cause, later ones at level DEBUG. */
  private void failed(Throwable why) {
    if (LOGGED.compareAndSet(false, true)) {
      LOG.warn(
          "Blocks of {} cannot be mapped, so HDFS's stock stream reads them; further cases are "
              + "only counted",
          file,
          why);
    } else {
      LOG.debug("Blocks of {} cannot be mapped", file, why);
    }
  }

  /** All blocks of the file, without a gap; or none. */
  private static final class Blocks {
    private final Block[] blocks;
    private final long[] starts;

    Blocks(Block[] blocks) {
      this.blocks = blocks;
      starts = Arrays.stream(blocks).mapToLong(Block::start).toArray();
    }

    Block at(long offset) {
      int found = Arrays.binarySearch(starts, offset);
      int index = found >= 0 ? found : -found - 2;
      return index < 0 ? null : blocks[index];
    }
  }

  /** A block of the file. */
  final class Block {
    private final BlockVersion version;
    private final long start;
    private final long size;
    private final AtomicBoolean resolving = new AtomicBoolean();
    private volatile Mapping mapping;
    private volatile Failure failure;

    Block(LocatedBlock located) {
      version = BlockVersion.of(located.getBlock());
      start = located.getStartOffset();
      size = located.getBlockSize();
    }

    /** Returns its start in the file. */
    long start() {
      return start;
    }

    /** Returns the start of the next block. */
    long end() {
      return start + size;
    }

    /**
     * Returns its mapping, which the caller unpins.
     *
     * @param anchoredOnly whether the DataNode must hold it in locked memory
     * @return null if it has none now; {@link #why} gives the reason
     */
    Mapping pin(boolean anchoredOnly) {
      Mapping last = pinMapped(anchoredOnly);
      return last != null ? last : resolve(anchoredOnly);
    }

    /** As {@link #pin}; null also if the block would have to be mapped first. */
    Mapping pinMapped(boolean anchoredOnly) {
      Mapping last = mapping;
      return last != null && last.serves(anchoredOnly, size) && last.pin() ? last : null;
    }

    /** Returns its name in HDFS, with the generation that the stock stream knows. */
    ExtendedBlock name() throws IOException {
      return StockStreams.blockAt(stock, start).getBlock();
    }

    /** Returns the DataNode of this machine that has it, or null. */
    DatanodeInfo localNode() {
      try {
        return replicas.localNode(StockStreams.blockAt(stock, start));
      } catch (IOException | NotMappedException e) {
        return null;
      }
    }

    /** Returns the reason why it was not mapped. */
    Fallback why() {
      Failure last = failure;
      return last == null ? Fallback.BUSY : last.why;
    }

    /**
     * Reports a mapping whose bytes may be wrong. A truncated replica is not mapped again for a
     * while. If only its descriptor was closed, the next read maps it again.
     *
     * @return the reason of the stock read
     */
    Fallback damaged(Mapping damaged) {
      if (!damaged.retireDamaged()) {
        return Fallback.BUSY;
      }
      failure = new Failure(Fallback.TRUNCATED, false);
      return Fallback.TRUNCATED;
    }

    private Mapping resolve(boolean anchoredOnly) {
      Failure last = failure;
      if (last != null && last.holds(anchoredOnly) || !resolving.compareAndSet(false, true)) {
        return null;
      }
      Mapping found = null;
      try {
        found = find(anchoredOnly);
        failure = null;
        mapping = found;
      } catch (NotMappedException e) {
        failure = new Failure(e.why(), anchoredOnly);
      } catch (IOException | RuntimeException | LinkageError e) {
        failure = new Failure(Fallback.FAILED, anchoredOnly);
        failed(e);
      } finally {
        resolving.set(false);
      }
      return found;
    }

    private Mapping find(boolean anchoredOnly) throws IOException, NotMappedException {
      Mapping shared = mappings.pin(version, anchoredOnly, size);
      if (shared != null) {
        return shared;
      }
      LocatedBlock located = StockStreams.blockAt(stock, start);
      boolean mappable = size <= Integer.MAX_VALUE && size <= located.getBlockSize();
      if (!mappable || MapRefusals.isRecent()) {
        throw Fallback.UNMAPPABLE.exception();
      }
      return mappings.map(version, size, () -> replicas.find(file, located, anchoredOnly));
    }
  }

  /** The reason why a block could not be mapped, valid for a second. */
  private static final class Failure {
    private final Fallback why;
    private final boolean anchoredOnly;
    private final long untilNanos = System.nanoTime() + RETRY_NANOS;

    Failure(Fallback why, boolean anchoredOnly) {
      this.why = why;
      this.anchoredOnly = anchoredOnly;
    }

    /**
     * Returns whether the failure applies. It does not apply to a reader with weaker requirements.
     */
    boolean holds(boolean anchoredOnly) {
      return (anchoredOnly || !this.anchoredOnly) && System.nanoTime() - untilNanos < 0;
    }
  }
}
