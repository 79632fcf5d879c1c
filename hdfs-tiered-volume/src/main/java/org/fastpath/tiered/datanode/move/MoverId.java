package org.fastpath.tiered.datanode.move;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's mark of a running mover: the file {@code /system/mover.id}. HDFS's mover or storage policy
 * satisfier keeps it open while it runs. This mover waits while one of them has it open. It keeps
 * the file open itself while it moves, so that they do not start.
 *
 * <p>Our file has an attribute, by which our next mover recognizes it. {@link MoverLease} ensures
 * that no other mover of ours lives, so the mark of a dead one need not wait for HDFS's lease. Not
 * thread-safe.
 */
final class MoverId {
  private static final Logger LOG = LoggerFactory.getLogger(MoverId.class);
  private static final Path MARK = new Path("/system/mover.id");
  private static final String ATTRIBUTE = "user.fastpath.mover";
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final DistributedFileSystem fs;
  private final LongSupplier clock;
  private FSDataOutputStream mark;
  private long retryNanos;
  private boolean waits;

  MoverId(DistributedFileSystem fs, LongSupplier nanoClock) {
    this.fs = fs;
    this.clock = nanoClock;
    retryNanos = nanoClock.getAsLong();
  }

  /** Returns whether HDFS's own movers allow this process to move. */
  boolean hold() throws IOException {
    if (mark == null && clock.getAsLong() - retryNanos >= 0) {
      retryNanos = clock.getAsLong() + RETRY_NANOS;
      if (isFree()) {
        take();
      } else if (!waits) {
        waits = true;
        LOG.info(
            "Moves wait because HDFS's mover or satisfier runs and has {} open; they "
                + "start when it ends",
            MARK);
      }
    }
    return mark != null;
  }

  private void take() throws IOException {
    mark = fs.create(MARK, false);
    try {
      fs.setXAttr(MARK, ATTRIBUTE, "1".getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.debug("{} has no attribute: attributes may be switched off", MARK, e);
    }
    if (waits) {
      LOG.info("Moves go on: {} is closed", MARK);
    }
    waits = false;
  }

  private boolean isFree() throws IOException {
    HdfsLocatedFileStatus other = fs.getClient().getLocatedFileInfo(MARK.toString(), false);
    if (other == null) {
      return true;
    }
    if (!isOurs() && !isClosed()) {
      return false;
    }
    fs.delete(MARK, false);
    return true;
  }

  private boolean isOurs() {
    try {
      return fs.getXAttr(MARK, ATTRIBUTE) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns whether another process has the file open. Such a process prevents appends, as HDFS's
   * movers rely on.
   */
  private static boolean isHeld(IOException refused) {
    IOException cause =
        refused instanceof RemoteException remote ? remote.unwrapRemoteException() : refused;
    return cause instanceof AlreadyBeingCreatedException
        || cause instanceof RecoveryInProgressException;
  }

  private boolean isClosed() throws IOException {
    try {
      fs.append(MARK).close();
      return true;
    } catch (IOException e) {
      if (isHeld(e)) {
        return false;
      }
      throw e;
    }
  }

  /** Lets HDFS's movers start. */
  void release() throws IOException {
    if (mark != null) {
      IOUtils.closeStream(mark);
      mark = null;
      // Only an attempt that failed delays the next one.
      retryNanos = clock.getAsLong();
      fs.delete(MARK, false);
    }
  }
}
