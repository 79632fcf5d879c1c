package org.fastpath.zcr;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.StockStreams;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * The client of HDFS with reads from mappings of replicas that DataNodes of this machine hold in
 * locked memory. One line installs it for any program that uses HDFS's {@code FileSystem}:
 *
 * <pre>{@code
 * fs.hdfs.impl = org.fastpath.zcr.ZeroCopyFileSystem
 * }</pre>
 *
 * <p>A block that cannot be mapped is read the stock way. All reads are stock reads if
 * short-circuit reads are off, libhadoop is missing or the Hadoop version is not verified. The log
 * then names the remedy. Checksums are skipped in the same cases as in HDFS: the replica is cached,
 * or the caller disables them. It does so by {@code setVerifyChecksum(false)} or {@code
 * dfs.client.read.shortcircuit.skip.checksum}.
 *
 * <p>Thread-safe. All file systems of the process share the mappings. Slices in use at the close of
 * the last one stay valid until they are released.
 */
public class ZeroCopyFileSystem extends DistributedFileSystem {
  private static final String IN_SNAPSHOT =
      Path.SEPARATOR + HdfsConstants.DOT_SNAPSHOT_DIR + Path.SEPARATOR;

  private ZeroCopyOptions options;
  private LocalReplicas replicas;
  private volatile Mappings mappings;
  private volatile boolean verified = true;

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    options = ZeroCopyOptions.of(conf);
    super.initialize(uri, conf);
    DFSClient client = getClient();
    ZeroCopyMetrics.register();
    if (ZeroCopySupport.available(options, client.getConf())) {
      replicas = new LocalReplicas(client, getConf());
      mappings = Mappings.join(options);
    }
  }

  private boolean skipsChecksums() {
    return getClient().getConf().getShortCircuitConf().isSkipShortCircuitChecksums();
  }

  @Override
  public void setVerifyChecksum(boolean verify) {
    super.setVerifyChecksum(verify);
    verified = verify;
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    return mapped(file.toUri().getPath(), super.open(file, bufferSize));
  }

  @Override
  public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
    return mapped("opening a file by its handle is not supported", super.open(handle, bufferSize));
  }

  private FSDataInputStream mapped(String file, FSDataInputStream stream) {
    Mappings joined = mappings;
    if (joined == null) {
      return stream;
    }
    DFSInputStream stock = plain(stream);
    if (stock == null || file.contains(IN_SNAPSHOT)) {
      ZeroCopyMetrics.stockStream();
      return stream;
    }
    FileBlocks blocks = new FileBlocks(file, stock, replicas, joined);
    boolean copiesAnchoredOnly = verified && !skipsChecksums() || !options.mapsUncached();
    return new ZeroCopyInputStream(
        stock,
        new MappedInputStream(
            stock, getClient(), blocks, verified, copiesAnchoredOnly, statistics));
  }

  /** Returns the HDFS stream inside a stream if its blocks do not change; otherwise null. */
  private static DFSInputStream plain(FSDataInputStream stream) {
    boolean plain =
        stream.getClass() == HdfsDataInputStream.class
            && stream.getWrappedStream() instanceof DFSInputStream stock
            && StockStreams.isPlain(stock);
    return plain ? (DFSInputStream) stream.getWrappedStream() : null;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      leave();
    }
  }

  private synchronized void leave() {
    Mappings joined = mappings;
    mappings = null;
    if (joined != null) {
      joined.leave();
    }
  }
}
