package org.fastpath.tiered.datanode.move;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.LongSupplier;
import org.apache.hadoop.crypto.CryptoOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The lease to process the queue. The holder owns the lock file in the queue's directory. Other
 * movers poll the file. They replace it if its holder has not renewed it for the lease's time by
 * their own clock, so clocks need not agree. A stale lock is deleted by its inode, so a newer one
 * stays.
 *
 * <p>HDFS's own lease on an open file would do the same. But no other process can get it within a
 * minute of its holder's death, whatever the configuration.
 *
 * <p>A holder that paused for longer than the lease notices it at its next renewal. Until then
 * there may be two movers. A replica that both move is moved once, and each keeps its own limit of
 * bandwidth.
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

  /** A counter stored as the lock's modification time; it differs after every renewal. */
  private long renewal;

  private long otherInode = NOBODY;
  private long otherRenewal;
  private long otherSeen;

  MoverLease(DistributedFileSystem fs, String directory, long leaseMillis, LongSupplier nanoClock) {
    this.fs = fs;
    this.client = fs.getClient();
    this.lock = new Path(directory, NAME);
    this.leaseNanos = leaseMillis * 1_000_000;
    this.clock = nanoClock;
  }

  /** Returns whether this process has the lease and has renewed it in time. */
  boolean isValid() {
    return inode != NOBODY && clock.getAsLong() - renewed < leaseNanos;
  }

  /** Renews the lease, or tries to get it. Called often. */
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
      client.setTimes(Inodes.path(inode), ++renewal, -1);
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
      inode = inode(out.getWrappedStream());
      renewal = 0;
      renewed = now;
    } catch (FileAlreadyExistsException e) {
      inode = NOBODY;
    }
  }

  /** Returns the inode of an open file, which may be in an encryption zone. */
  private static long inode(OutputStream out) {
    OutputStream stream =
        out instanceof CryptoOutputStream crypto ? crypto.getWrappedStream() : out;
    return ((DFSOutputStream) stream).getFileId();
  }

  private boolean isStale(HdfsFileStatus holder) {
    long now = clock.getAsLong();
    if (holder.getFileId() == otherInode && holder.getModificationTime() == otherRenewal) {
      return now - otherSeen > leaseNanos;
    }
    otherInode = holder.getFileId();
    otherRenewal = holder.getModificationTime();
    otherSeen = now;
    return false;
  }

  private void deleteLock(long lockInode) throws IOException {
    try {
      client.delete(Inodes.path(lockInode), false);
    } catch (FileNotFoundException e) {
      // Another process was faster.
    }
  }

  /** Releases the lease, so another process can get it at once. */
  void release() throws IOException {
    if (inode != NOBODY) {
      deleteLock(inode);
      inode = NOBODY;
    }
  }
}
