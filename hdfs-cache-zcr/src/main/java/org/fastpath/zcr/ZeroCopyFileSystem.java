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
 * HDFS whose files are read from mappings of the replicas that DataNodes of this machine hold in
 * locked memory. Put in by one line, for any program that reads HDFS by its {@code FileSystem}:
 *
 * <pre>{@code
 * fs.hdfs.impl = org.fastpath.zcr.ZeroCopyFileSystem
 * }</pre>
 *
 * <p>What cannot be mapped is read the stock way, and so is everything where short-circuit reads
 * are off, libhadoop is missing or the version of Hadoop is not one that this was verified with;
 * the log then says what to set. Checksums are not verified where HDFS would not verify them: the
 * replica is cached, or the caller wants none, by {@code setVerifyChecksum(false)} or {@code
 * dfs.client.read.shortcircuit.skip.checksum}.
 *
 * <p>Safe from any thread. Mappings are shared by all file systems of the process; slices that are
 * in use when the last one is closed stay valid until they are given back.
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
    return mapped("a file by its handle", super.open(handle, bufferSize));
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

  /** What a stream of HDFS's own reads from, if its blocks are what they seem; or null. */
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
