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

/** Files that DataNodes keep in locked memory, by directives of a pool of their own. */
public final class LockedFiles {
  private static final String POOL = "experiments";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 100;
  private final DistributedFileSystem files;

  /** Makes the pool. */
  public LockedFiles(DistributedFileSystem files) throws IOException {
    this.files = files;
    files.addCachePool(new CachePoolInfo(POOL));
  }

  /** Asks for a file, or for those of a directory; returns the directive. */
  public long ask(Path path) throws IOException {
    return files.addCacheDirective(
        new CacheDirectiveInfo.Builder().setPath(path).setPool(POOL).build());
  }

  /** Waits until what a directive asks for is in memory; returns how many bytes that are. */
  public long await(long directive, Console.Step step) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    CacheDirectiveStats stats = stats(directive);
    while (stats.getBytesNeeded() == 0 || stats.getBytesCached() < stats.getBytesNeeded()) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            String.format(
                "of %,d bytes DataNodes have %,d in locked memory after %d s: they must run as root or with a high"
                    + " enough ulimit -l; see their logs",
                stats.getBytesNeeded(), stats.getBytesCached(), LIMIT.toSeconds()));
      }
      step.update(stats.getBytesCached(), stats.getBytesNeeded());
      Pause.millis(POLL_MILLIS);
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
