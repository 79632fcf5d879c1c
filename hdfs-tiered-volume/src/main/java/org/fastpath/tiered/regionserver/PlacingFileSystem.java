package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.util.FSUtils;
import org.apache.hadoop.util.Progressable;

/**
 * Creates a store's files with {@link LargePackets}, and gives each a storage policy before its
 * first block if it has a rule.
 *
 * <p>A new file in HDFS has no block. A writer's first bytes stay in the client until a packet is
 * full. The NameNode reads the file's policy when it chooses the DataNodes of a block. So no byte
 * is written to a wrong tier and moved later. The policy belongs to the file, so a rename does not
 * change it. HBase's own way is a directory for each policy ({@code withFileStoragePolicy}). It
 * does not work with a tracker that writes files in their final place, because such a tracker
 * searches the store's directory. Also, HBase resets the policy of a directory to that of its
 * family with each new file.
 *
 * <p>Files are created like HBase creates them, with the family's replication and favored nodes,
 * and read like HBase reads them. If a policy cannot be set, the file is written without it.
 * Thread-safe.
 */
final class PlacingFileSystem extends HFileSystem {
  private final FileSystem stock;
  private final Configuration store;
  private final Supplier<InetSocketAddress[]> favoredNodes;
  private final Optional<String> policy;
  private final boolean formatted;

  /**
   * Makes a file system that creates files with a policy.
   *
   * @param stock file system that creates and reads the files
   * @param store the store's configuration
   * @param favoredNodes preferred DataNodes, null if any
   * @param policy of the files, empty without a rule
   * @param formatted whether the files have a format of a rule, for the metrics
   */
  PlacingFileSystem(
      FileSystem stock,
      Configuration store,
      Supplier<InetSocketAddress[]> favoredNodes,
      Optional<String> policy,
      boolean formatted) {
    super(stock);
    this.stock = stock;
    this.store = store;
    this.favoredNodes = favoredNodes;
    this.policy = policy;
    this.formatted = formatted;
  }

  @Override
  public FSDataOutputStream create(
      Path file,
      FsPermission permission,
      boolean overwrite,
      int bufferBytes,
      short replication,
      long blockBytes,
      Progressable progress)
      throws IOException {
    FSDataOutputStream out =
        LargePackets.create(store, stock, file, permission, favoredNodes.get());
    if (policy.isPresent() && set(stock, file, policy.get())) {
      TierMetrics.placed(formatted);
    }
    return out;
  }

  /**
   * Makes a directory. HBase passes the permission of its files if it does not recognize HDFS, and
   * a directory with that permission can be unusable.
   */
  @Override
  public boolean mkdirs(Path directory, FsPermission permission) throws IOException {
    return FSUtils.isDistributedFileSystem(stock)
        ? stock.mkdirs(directory)
        : stock.mkdirs(directory, permission);
  }

  /** Sets the policy of a file if possible. Returns whether it did. */
  static boolean set(FileSystem stock, Path file, String policy) {
    try {
      // HBase's own file system does not report that a policy cannot be set.
      backing(stock).setStoragePolicy(file, policy);
      return true;
    } catch (IOException | RuntimeException e) {
      TierMetrics.unplaced(file, policy, e);
      return false;
    }
  }

  /** Returns the file system below HBase's, also below one of ours that a MOB store has. */
  static FileSystem backing(FileSystem files) {
    return files instanceof HFileSystem own ? backing(own.getRawFileSystem()) : files;
  }

  @Override
  public boolean useHBaseChecksum() {
    return stock instanceof HFileSystem own && own.useHBaseChecksum();
  }

  @Override
  public FileSystem getNoChecksumFs() {
    return stock instanceof HFileSystem own ? own.getNoChecksumFs() : stock;
  }
}
