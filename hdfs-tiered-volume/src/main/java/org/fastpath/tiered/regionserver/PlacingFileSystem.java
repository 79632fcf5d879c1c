package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.net.InetSocketAddress;
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
 * Gives each file that is created through it a storage policy before its first block.
 *
 * <p>That moment is there in each file's life: a file that HDFS has created has no block yet, a
 * writer's first bytes stay in the client until a packet is full, and the NameNode asks for the
 * file's policy when it chooses the DataNodes of a block. So nothing is ever written to a wrong
 * tier and moved, and the policy is the file's own, which a rename does not change. HBase's own
 * way, a directory for each policy ({@code withFileStoragePolicy}), does not go with a tracker that
 * writes files where they stay, because such a tracker looks for them in the store's directory; and
 * the policy of a directory is set anew to that of its family with each file that HBase creates.
 *
 * <p>Files are created as HBase creates them, with its family's replication and favored nodes, and
 * read as HBase reads them. If a policy cannot be set the file is written as it would be without.
 * Safe from any thread.
 */
final class PlacingFileSystem extends HFileSystem {
  private final FileSystem stock;
  private final Configuration store;
  private final Supplier<InetSocketAddress[]> favoredNodes;
  private final String policy;
  private final boolean formatted;

  /**
   * A file system that creates files with a policy.
   *
   * @param stock what files are created and read by
   * @param store the store's configuration
   * @param favoredNodes where its files should be, null if anywhere
   * @param formatted whether they are written in a format of a rule, to be counted
   */
  PlacingFileSystem(
      FileSystem stock,
      Configuration store,
      Supplier<InetSocketAddress[]> favoredNodes,
      String policy,
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
    FSDataOutputStream out = FSUtils.create(store, stock, file, permission, favoredNodes.get());
    if (set(stock, file, policy)) {
      TierMetrics.placed(formatted);
    }
    return out;
  }

  /** Sets the policy of a file, if that can be done; whether it could. */
  static boolean set(FileSystem stock, Path file, String policy) {
    try {
      // HBase's own file system says nothing when a policy cannot be set.
      FileSystem files = stock instanceof HFileSystem own ? own.getBackingFs() : stock;
      files.setStoragePolicy(file, policy);
      return true;
    } catch (IOException | RuntimeException e) {
      TierMetrics.unplaced(file, policy, e);
      return false;
    }
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
