package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveStats;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Pause;

/** Files that DataNodes keep in locked memory, by directives of their own pool. */
public final class LockedFiles {
  private static final String POOL = "experiments";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private final DistributedFileSystem files;

  public LockedFiles(DistributedFileSystem files) throws IOException {
    this.files = files;
    files.addCachePool(new CachePoolInfo(POOL));
  }

  /** Adds a directive for a file, or for the files of a directory; returns its id. */
  public long ask(Path path) throws IOException {
    return files.addCacheDirective(
        new CacheDirectiveInfo.Builder().setPath(path).setPool(POOL).build());
  }

  /** Waits until the bytes of a directive are in memory; returns their number. */
  public long await(long directive, Console.Step step) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    CacheDirectiveStats stats = stats(directive);
    while (stats.getBytesNeeded() == 0 || stats.getBytesCached() < stats.getBytesNeeded()) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            String.format(
                "of %,d bytes DataNodes have locked %,d after %d s; start them as root or "
                    + "with a high enough ulimit -l, and see their logs",
                stats.getBytesNeeded(), stats.getBytesCached(), LIMIT.toSeconds()));
      }
      step.update(stats.getBytesCached(), stats.getBytesNeeded());
      Pause.millis(100);
      stats = stats(directive);
    }
    step.done(stats.getBytesCached());
    return stats.getBytesCached();
  }

  private CacheDirectiveStats stats(long directive) throws IOException {
    CacheDirectiveInfo filter = new CacheDirectiveInfo.Builder().setId(directive).build();
    return files.listCacheDirectives(filter).next().getStats();
  }
}
