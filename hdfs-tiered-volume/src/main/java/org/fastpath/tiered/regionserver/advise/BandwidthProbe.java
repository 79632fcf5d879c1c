package org.fastpath.tiered.regionserver.advise;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Measures the bandwidth of one writer on a volume of a type. It writes a file with one replica by
 * a policy for the type, syncs it at its end, and deletes it. If network or client are slower than
 * the volume, the result is too low. If a controller's cache takes the whole file, it is too high.
 */
final class BandwidthProbe {
  private static final int CHUNK = 1 << 20;
  private static final long BLOCK = 128 << 20;
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final DistributedFileSystem hdfs;
  private final Path directory;
  private final long bytes;

  /**
   * Makes a probe.
   *
   * @param bytes of the file
   */
  BandwidthProbe(DistributedFileSystem hdfs, Path directory, long bytes) {
    this.hdfs = hdfs;
    this.directory = directory;
    this.bytes = bytes;
  }

  /**
   * Returns bytes a second; empty if no policy places a file on the type, or it was placed
   * elsewhere.
   */
  Optional<Double> measure(StorageType type) throws IOException {
    Optional<String> policy = policy(type);
    if (policy.isEmpty()) {
      return Optional.empty();
    }
    Path file = new Path(directory, "fastpath-probe-" + UUID.randomUUID());
    try {
      long begin = System.nanoTime();
      write(file, policy.get());
      long written = System.nanoTime();
      return isOn(file, type) ? Optional.of(rate(written - begin)) : Optional.empty();
    } finally {
      hdfs.delete(file, false);
    }
  }

  private double rate(long nanos) {
    return bytes * SECOND / Math.max(1, nanos);
  }

  /** Returns a policy of the NameNode with this type for its only replica. */
  private Optional<String> policy(StorageType type) throws IOException {
    return hdfs.getAllStoragePolicies().stream()
        .filter(policy -> !policy.isCopyOnCreateFile())
        .filter(policy -> policy.chooseStorageTypes((short) 1).equals(Arrays.asList(type)))
        .map(BlockStoragePolicy::getName)
        .findFirst();
  }

  private void write(Path file, String policy) throws IOException {
    EnumSet<CreateFlag> flags =
        EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE, CreateFlag.SYNC_BLOCK);
    try (FSDataOutputStream out =
        hdfs.create(file, FsPermission.getFileDefault(), flags, CHUNK, (short) 1, BLOCK, null)) {
      // The policy must be set before the first block.
      hdfs.setStoragePolicy(file, policy);
      byte[] chunk = new byte[CHUNK];
      for (long left = bytes; left > 0; left -= CHUNK) {
        out.write(chunk, 0, (int) Math.min(left, CHUNK));
      }
    }
  }

  private boolean isOn(Path file, StorageType type) throws IOException {
    for (LocatedBlock block :
        hdfs.getClient().getLocatedBlocks(file.toUri().getPath(), 0, bytes).getLocatedBlocks()) {
      if (!Arrays.asList(block.getStorageTypes()).contains(type)) {
        return false;
      }
    }
    return true;
  }
}
