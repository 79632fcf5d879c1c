package org.fastpath.bench.hdfs;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveStats;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.fastpath.bench.workload.Console;
import org.fastpath.bench.workload.Pause;

/**
 * Files that DataNodes keep in locked memory, by directives of a pool of their own; and the client
 * that asks for them, which has no libhadoop. Not thread-safe.
 */
public final class LockedFiles implements AutoCloseable {
  private static final String POOL = "experiments";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 100;

  private final DistributedFileSystem files;

  private LockedFiles(DistributedFileSystem files) {
    this.files = files;
  }

  /** Connects, and makes the pool. */
  public static LockedFiles connect(Configuration client) throws IOException {
    Configuration conf = new Configuration(client);
    conf.set(ClientSide.SHORT_CIRCUIT, "false");
    LockedFiles locked = new LockedFiles((DistributedFileSystem) FileSystem.newInstance(conf));
    try {
      locked.files.addCachePool(new CachePoolInfo(POOL));
      return locked;
    } catch (IOException | RuntimeException | Error e) {
      locked.close();
      throw e;
    }
  }

  /** The client, for whoever writes and deletes files. */
  DistributedFileSystem client() {
    return files;
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

  @Override
  public void close() throws IOException {
    files.close();
  }
}
