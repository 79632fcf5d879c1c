package org.fastpath.tiered.datanode.move;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Who works off the queue: the one whose file the lock in its directory is. The others look at it,
 * and replace it when its holder has not touched it for the lease's time by their own clock; so no
 * two clocks have to agree. A stale lock is deleted by its inode, and with it no newer one.
 *
 * <p>HDFS's own lease on a file being written would do the same, but nobody else can have it for a
 * minute after its holder died, whatever is configured.
 *
 * <p>A holder that stood still for longer than the lease and comes back finds out the next time it
 * renews it. Until then there may be two movers: a replica that both move is moved once, and the
 * limits of bandwidth hold for each.
 *
 * <p>Used by one thread; {@link #isValid} by any.
 */
final class MoverLease {
  private static final String NAME = ".mover";
  private static final int RENEWALS_PER_LEASE = 4;
  private static final long NOBODY = -1;

  private final DistributedFileSystem fs;
  private final DFSClient client;
  private final Path lock;
  private final long leaseNanos;
  private final LongSupplier clock;

  private volatile long inode = NOBODY;
  private volatile long renewed;

  /** The lock's modification time after the last renewal: no clock's, so that it is never equal. */
  private long beat;

  private long otherInode = NOBODY;
  private long otherBeat;
  private long otherSeen;

  MoverLease(DistributedFileSystem fs, String directory, long leaseMillis, LongSupplier nanoClock) {
    this.fs = fs;
    this.client = fs.getClient();
    this.lock = new Path(directory, NAME);
    this.leaseNanos = leaseMillis * 1_000_000;
    this.clock = nanoClock;
  }

  /** Whether this process may move: it has the lease, and has renewed it in time. */
  boolean isValid() {
    return inode != NOBODY && clock.getAsLong() - renewed < leaseNanos;
  }

  /** Renews the lease if it is held, tries to get it if not; called often. */
  boolean hold() throws IOException {
    if (inode != NOBODY) {
      renew();
    }
    if (inode == NOBODY) {
      acquire();
    }
    return isValid();
  }

  private void renew() throws IOException {
    long now = clock.getAsLong();
    if (now - renewed < leaseNanos / RENEWALS_PER_LEASE) {
      return;
    }
    try {
      client.setTimes(Inodes.path(inode), ++beat, -1);
      renewed = now;
    } catch (FileNotFoundException e) {
      inode = NOBODY;
    }
  }

  private void acquire() throws IOException {
    HdfsFileStatus holder = client.getFileInfo(lock.toString());
    if (holder != null) {
      if (!isStale(holder)) {
        return;
      }
      deleteLock(holder.getFileId());
    }
    long now = clock.getAsLong();
    try (HdfsDataOutputStream out = (HdfsDataOutputStream) fs.create(lock, false)) {
      inode = ((DFSOutputStream) out.getWrappedStream()).getFileId();
      beat = 0;
      renewed = now;
    } catch (FileAlreadyExistsException e) {
      inode = NOBODY;
    }
  }

  private boolean isStale(HdfsFileStatus holder) {
    long now = clock.getAsLong();
    if (holder.getFileId() == otherInode && holder.getModificationTime() == otherBeat) {
      return now - otherSeen > leaseNanos;
    }
    otherInode = holder.getFileId();
    otherBeat = holder.getModificationTime();
    otherSeen = now;
    return false;
  }

  private void deleteLock(long lockInode) throws IOException {
    try {
      client.delete(Inodes.path(lockInode), false);
    } catch (FileNotFoundException e) {
      // Somebody else was faster.
    }
  }

  /** Lets another one have it at once. */
  void release() throws IOException {
    if (inode != NOBODY) {
      deleteLock(inode);
      inode = NOBODY;
    }
  }
}
