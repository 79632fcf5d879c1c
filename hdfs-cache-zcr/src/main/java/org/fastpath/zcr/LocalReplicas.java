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
 * <p>The replica is Hadoop's own, shared with the stock streams of the process, so that there is
 * one pair of descriptors, one slot and one mapping of each. What asks the DataNode for it is a
 * block reader, which is closed at once. Safe from any thread.
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
   * @param anchoredOnly whether it will do only if the DataNode holds it in locked memory
   * @return what the caller closes
   * @throws NotMappedException if there is no such replica, or it cannot be mapped
   * @throws IOException if the DataNode refuses, as when the block's token has expired
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

  /** Owns a reference to a replica, and an anchor until its mapping has that. */
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

  /** The replica, with a reference that is the caller's. */
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

  /** The first time that a DataNode cannot be asked, and not only has no such replica. */
  private void warnOfSocket(DatanodeInfo node) throws IOException {
    PathInfo socket = socket(node);
    if (!socket.getPathState().getUsableForShortCircuit() && LOGGED.compareAndSet(false, true)) {
      LOG.warn(
          "DataNode {} passes no replicas at {}, so reads of its replicas go the stock way. Unless"
              + " it is down, set the same dfs.domain.socket.path here and there. Set"
              + " dfs.client.read.shortcircuit to true there",
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

  /** The DataNode of this machine that has the replica; one that has it cached goes first. */
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
   * Memory volumes have no checksums and are not anchored; others' storage is not the DataNode's.
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

  /** Of a kind that the factory passes on without a warning for each block. */
  private static final class NotLocalException extends AccessControlException {
    private static final long serialVersionUID = 1L;

    NotLocalException() {
      super("no connection but for short-circuit reads");
    }
  }
}
