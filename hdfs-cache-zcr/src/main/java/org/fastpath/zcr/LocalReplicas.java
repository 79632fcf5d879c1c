package org.fastpath.zcr;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.client.impl.BlockReaderFactory;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.shortcircuit.ClientMmap;
import org.apache.hadoop.hdfs.shortcircuit.DomainSocketFactory.PathInfo;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplicaInfo;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds replicas of this machine at its DataNode and maps them, for one client of HDFS.
 *
 * <p>The replica object is Hadoop's own, shared with the stock streams of the process. So each
 * replica has one pair of descriptors, one slot and one mapping. A block reader requests it from
 * the DataNode and is closed at once. Thread-safe.
 */
final class LocalReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(LocalReplicas.class);
  private static final AtomicBoolean LOGGED = new AtomicBoolean();

  private final DFSClient client;
  private final DfsClientConf clientConf;
  private final Configuration conf;

  LocalReplicas(DFSClient client, Configuration conf) {
    this.client = client;
    this.clientConf = client.getConf();
    this.conf = conf;
  }

  /**
   * Finds the replica of a block.
   *
   * @param anchoredOnly whether the DataNode must hold it in locked memory
   * @return the replica, which the caller closes
   * @throws NotMappedException if there is no such replica, or it cannot be mapped
   * @throws IOException if the DataNode rejects the request, for example because the block's token
   *     has expired
   */
  MappableReplica find(String file, LocatedBlock block, boolean anchoredOnly)
      throws IOException, NotMappedException {
    int length = Math.toIntExact(block.getBlockSize());
    LocalReplica found = new LocalReplica(replica(file, block), length);
    try {
      found.anchor(anchoredOnly);
    } catch (NotMappedException | RuntimeException e) {
      found.close();
      throw e;
    }
    return found;
  }

  /** Owns a reference to a replica, and an anchor until its mapping takes it over. */
  private final class LocalReplica implements MappableReplica {
    private final ShortCircuitReplica replica;
    private final int length;
    private boolean anchored;

    LocalReplica(ShortCircuitReplica replica, int length) {
      this.replica = replica;
      this.length = length;
    }

    void anchor(boolean anchoredOnly) throws NotMappedException {
      if (replica.getSlot() == null) {
        throw Fallback.UNMAPPABLE.exception();
      }
      if (!ShortCircuitMapping.reaches(replica.getDataStream(), length)) {
        throw Fallback.TRUNCATED.exception();
      }
      anchored = replica.addNoChecksumAnchor();
      if (!anchored && anchoredOnly) {
        throw Fallback.UNCACHED.exception();
      }
    }

    @Override
    public MappedReplica map() throws NotMappedException {
      boolean mappedAnchored = anchored;
      ClientMmap mmap = replica.getOrCreateClientMmap(mappedAnchored);
      if (mmap == null) {
        MapRefusals.refused(
            replica, clientConf.getShortCircuitConf().getShortCircuitMmapCacheRetryTimeout());
        throw Fallback.UNMAPPABLE.exception();
      }
      anchored = false;
      if (mmap.getMappedByteBuffer().capacity() < length) {
        mmap.close();
        throw Fallback.TRUNCATED.exception();
      }
      return new ShortCircuitMapping(replica, mmap, mappedAnchored, length);
    }

    @Override
    public void close() {
      if (anchored) {
        replica.removeNoChecksumAnchor();
      }
      replica.unref();
    }
  }

  /** Returns the replica with a reference for the caller. */
  private ShortCircuitReplica replica(String file, LocatedBlock block)
      throws IOException, NotMappedException {
    BlockReader reader = reader(file, block);
    try {
      if (!reader.isShortCircuit()) {
        throw Fallback.REMOTE.exception();
      }
      ExtendedBlockId id = ExtendedBlockId.fromExtendedBlock(block.getBlock());
      ShortCircuitReplicaInfo info =
          client
              .getClientContext()
              .getShortCircuitCache(id.getBlockId())
              .fetchOrCreate(id, ShortCircuitReplicaInfo::new);
      if (info == null || info.getReplica() == null) {
        throw Fallback.REMOTE.exception();
      }
      return info.getReplica();
    } finally {
      reader.close();
    }
  }

  private BlockReader reader(String file, LocatedBlock block)
      throws IOException, NotMappedException {
    DatanodeInfo node = localNode(block);
    try {
      return reader(file, block, node);
    } catch (NotLocalException e) {
      warnOfSocket(node);
      throw Fallback.REMOTE.exception();
    }
  }

  /** Warns once if a DataNode cannot be asked. A missing replica is no reason. */
  private void warnOfSocket(DatanodeInfo node) throws IOException {
    PathInfo socket = socket(node);
    if (!socket.getPathState().getUsableForShortCircuit() && LOGGED.compareAndSet(false, true)) {
      LOG.warn(
          "DataNode {} offers no short-circuit reads at {}, so its replicas are not mapped. "
              + "Unless it is down, set the same dfs.domain.socket.path here and there. Set "
              + "dfs.client.read.shortcircuit to true there",
          node,
          socket.getPath());
    }
  }

  private BlockReader reader(String file, LocatedBlock block, DatanodeInfo node)
      throws IOException {
    return new BlockReaderFactory(clientConf)
        .setInetSocketAddress(address(node))
        .setRemotePeerFactory(
            (address, token, id) -> {
              throw new NotLocalException();
            })
        .setDatanodeInfo(node)
        .setFileName(file)
        .setBlock(block.getBlock())
        .setBlockToken(block.getBlockToken())
        .setStartOffset(0)
        .setLength(1)
        .setVerifyChecksum(true)
        .setClientName(client.getClientName())
        .setCachingStrategy(client.getDefaultReadCachingStrategy())
        .setAllowShortCircuitLocalReads(true)
        .setClientCacheContext(client.getClientContext())
        .setConfiguration(conf)
        .build();
  }

  /**
   * Returns the DataNode of this machine that has the replica. One that has it cached is preferred.
   */
  DatanodeInfo localNode(LocatedBlock block) throws IOException, NotMappedException {
    for (DatanodeInfo node : block.getCachedLocations()) {
      if (isLocal(node)) {
        return node;
      }
    }
    for (DatanodeInfoWithStorage node : block.getLocations()) {
      if (isMappable(node.getStorageType()) && isLocal(node)) {
        return node;
      }
    }
    throw Fallback.REMOTE.exception();
  }

  /**
   * Returns whether replicas of a storage type can be mapped. Memory volumes have no checksums and
   * no anchors. Provided storage does not belong to the DataNode.
   */
  private static boolean isMappable(StorageType type) {
    return type == null || (!type.isTransient() && type != StorageType.PROVIDED);
  }

  private boolean isLocal(DatanodeInfo node) throws IOException {
    return socket(node).getPathState().getUsableForShortCircuit();
  }

  private PathInfo socket(DatanodeInfo node) throws IOException {
    return client
        .getClientContext()
        .getDomainSocketFactory()
        .getPathInfo(address(node), clientConf.getShortCircuitConf());
  }

  private InetSocketAddress address(DatanodeInfo node) {
    return NetUtils.createSocketAddr(node.getXferAddr(clientConf.isConnectToDnViaHostname()));
  }

  /** An exception type that the factory passes on without a warning for each block. */
  private static final class NotLocalException extends AccessControlException {
    private static final long serialVersionUID = 1L;

    NotLocalException() {
      super("only connections for short-circuit reads are allowed");
    }
  }
}
