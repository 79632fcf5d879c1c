package org.fastpath.tiered.datanode.move;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.datatransfer.DataTransferProtoUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.datatransfer.TrustedChannelResolver;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.DataTransferSaslUtil;
import org.apache.hadoop.hdfs.protocol.datatransfer.sasl.SaslDataTransferClient;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.balancer.KeyManager;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;

/**
 * Asks the target DataNode to fetch a replica from one of its other volumes or from another
 * DataNode. The target reports to the NameNode, which then deletes the old replica.
 *
 * <p>HDFS's balancer and mover use the same operation. Block tokens and encryption keys come from
 * the same keys, which the NameNode gives only to superusers. Thread-safe.
 */
final class ReplaceBlockTransfer implements ReplicaTransfer, Closeable {
  private static final int BUFFER_BYTES = 4096;

  /**
   * A DataNode reports every 30 seconds that it is still receiving, but not for a copy between its
   * volumes.
   */
  private static final int ANSWER_MILLIS = 5 * HdfsConstants.READ_TIMEOUT;

  private final NamenodeProtocol namenode;
  private final KeyManager keys;
  private final SaslDataTransferClient sasl;
  private final boolean byHostname;

  private ReplaceBlockTransfer(
      NamenodeProtocol namenode, KeyManager keys, SaslDataTransferClient sasl, boolean byHostname) {
    this.namenode = namenode;
    this.keys = keys;
    this.sasl = sasl;
    this.byHostname = byHostname;
  }

  /** Gets the keys from the NameNode of a file system. */
  static ReplaceBlockTransfer open(DistributedFileSystem fs, Configuration conf)
      throws IOException {
    AtomicBoolean fallbackToSimple = new AtomicBoolean();
    NamenodeProtocol namenode =
        NameNodeProxies.createProxy(conf, fs.getUri(), NamenodeProtocol.class, fallbackToSimple)
            .getProxy();
    try {
      SaslDataTransferClient sasl =
          new SaslDataTransferClient(
              conf,
              DataTransferSaslUtil.getSaslPropertiesResolver(conf),
              TrustedChannelResolver.getInstance(conf),
              fallbackToSimple);
      boolean byHostname =
          conf.getBoolean(
              HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
              HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
      return new ReplaceBlockTransfer(namenode, keys(fs, namenode, conf), sasl, byHostname);
    } catch (IOException | RuntimeException e) {
      RPC.stopProxy(namenode);
      throw e;
    }
  }

  /** Makes the keys. This is the last step that can fail, because it starts a thread. */
  private static KeyManager keys(
      DistributedFileSystem fs, NamenodeProtocol namenode, Configuration conf) throws IOException {
    String pool = namenode.versionRequest().getBlockPoolID();
    FsServerDefaults defaults = fs.getServerDefaults(new Path("/"));
    KeyManager keys = new KeyManager(pool, namenode, defaults.getEncryptDataTransfer(), conf);
    keys.startBlockKeyUpdater();
    return keys;
  }

  @Override
  public void move(ReplicaMove move) throws IOException {
    Token<BlockTokenIdentifier> token =
        keys.getAccessToken(move.block(), new StorageType[] {move.to()}, new String[0]);
    try (Socket socket = new Socket()) {
      NetUtils.connect(
          socket,
          NetUtils.createSocketAddr(move.target().getXferAddr(byHostname)),
          HdfsConstants.READ_TIMEOUT);
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.setKeepAlive(true);
      IOStreamPair streams =
          sasl.socketSend(
              socket,
              socket.getOutputStream(),
              socket.getInputStream(),
              keys,
              token,
              move.target());
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(streams.out, BUFFER_BYTES));
      // The sender flushes.
      new Sender(out)
          .replaceBlock(
              move.block(), move.to(), token, move.source().getDatanodeUuid(), move.source(), null);
      awaitEnd(new DataInputStream(new BufferedInputStream(streams.in, BUFFER_BYTES)), move);
    }
  }

  private static void awaitEnd(InputStream in, ReplicaMove move) throws IOException {
    BlockOpResponseProto response;
    do {
      response = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in));
    } while (response.getStatus() == Status.IN_PROGRESS);
    DataTransferProtoUtil.checkBlockOpStatus(response, move.toString(), true);
  }

  @Override
  public void close() {
    keys.close();
    RPC.stopProxy(namenode);
  }
}
