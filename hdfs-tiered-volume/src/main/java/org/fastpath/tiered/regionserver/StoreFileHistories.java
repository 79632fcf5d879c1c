package org.fastpath.tiered.regionserver;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.fastpath.tiered.regionserver.StoreFileHistory.Writer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Caches the histories of store files by inode, which HDFS never reuses. Each is read once and
 * needs 16 to 64 bytes. A history that was not requested in a whole generation is dropped at its
 * end. A file that cannot be read is tried once a generation. Not thread-safe.
 */
final class StoreFileHistories {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFileHistories.class);
  private static final int WRITER_BITS = 4;
  private static final long UNREADABLE = 1;
  private static final int FIRST_WRITER = 2;
  private static final long LATEST = Long.MAX_VALUE >> WRITER_BITS;

  /** The calls to the NameNode for opening a file: its status and its blocks. */
  private static final int CALLS = 2;

  private static final Writer[] WRITERS = Writer.values();

  /** Reads the history of a file. */
  @FunctionalInterface
  interface Reader {
    StoreFileHistory read(Path file) throws IOException;
  }

  private final Reader reader;
  private final CallBudget budget;
  private HistoryTable before = new HistoryTable();
  private HistoryTable now = new HistoryTable();

  StoreFileHistories(Reader reader, CallBudget budget) {
    this.reader = reader;
    this.budget = budget;
  }

  /** Begins a generation. Drops histories that were not requested in the last one. */
  void beginGeneration() {
    before = now;
    now = new HistoryTable();
  }

  /** Returns the history of a file; empty if it cannot be read. */
  Optional<StoreFileHistory> of(long inode, Path file) throws FileNotFoundException {
    long value = now.get(inode);
    if (value == HistoryTable.NONE) {
      value = before.get(inode);
      if (value == HistoryTable.NONE || value == UNREADABLE) {
        value = read(file);
      }
      now.put(inode, value);
    }
    return unpack(value);
  }

  private long read(Path file) throws FileNotFoundException {
    budget.take(CALLS);
    try {
      return pack(reader.read(file));
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      LOG.warn("The history of {} cannot be read; the file stays where it is", file, e);
      return UNREADABLE;
    }
  }

  private static long pack(StoreFileHistory history) {
    long newest = Math.min(LATEST, history.newestMillis());
    return newest << WRITER_BITS | (FIRST_WRITER + history.writer().ordinal());
  }

  private static Optional<StoreFileHistory> unpack(long value) {
    if (value == UNREADABLE) {
      return Optional.empty();
    }
    long newest = value >>> WRITER_BITS;
    Writer writer = WRITERS[(int) (value & (1 << WRITER_BITS) - 1) - FIRST_WRITER];
    return Optional.of(new StoreFileHistory(writer, newest == LATEST ? Long.MAX_VALUE : newest));
  }
}
