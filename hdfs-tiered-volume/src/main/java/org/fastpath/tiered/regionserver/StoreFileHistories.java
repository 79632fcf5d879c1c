package org.fastpath.tiered.regionserver;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Histories of store files, read once each: by inode, which HDFS gives to no second file. Those
 * that a round did not ask for are forgotten at its end; beyond {@link #MOST} files some are read
 * in each round. For one thread.
 */
final class StoreFileHistories {
  private static final Logger LOG = LoggerFactory.getLogger(StoreFileHistories.class);

  /** Of about 60 bytes each. */
  private static final int MOST = 1 << 18;

  private final FileSystem fs;
  private final Configuration conf;
  private Map<Long, Optional<StoreFileHistory>> before = Map.of();
  private Map<Long, Optional<StoreFileHistory>> now = new HashMap<>();

  StoreFileHistories(FileSystem fs, Configuration conf) {
    this.fs = fs;
    this.conf = conf;
  }

  /** Forgets what was not asked for since the last time. */
  void beginRound() {
    before = now;
    now = new HashMap<>();
  }

  /** The history of a file; empty if it cannot be read. */
  Optional<StoreFileHistory> of(long inode, Path file) throws FileNotFoundException {
    Optional<StoreFileHistory> history = now.get(inode);
    if (history == null) {
      history = before.get(inode);
    }
    if (history == null) {
      history = read(file);
    }
    if (now.size() < MOST) {
      now.put(inode, history);
    }
    return history;
  }

  private Optional<StoreFileHistory> read(Path file) throws FileNotFoundException {
    try {
      return Optional.of(StoreFileHistory.read(fs, file, conf));
    } catch (FileNotFoundException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      LOG.warn("What has written {} cannot be read; it stays where it is", file, e);
      return Optional.empty();
    }
  }
}
