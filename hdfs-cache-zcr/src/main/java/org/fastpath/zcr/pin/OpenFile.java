package org.fastpath.zcr.pin;

import java.io.InputStream;
import java.util.Optional;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hdfs.DFSStripedInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * A store file that a region here has open.
 *
 * <p><b>Source of heat.</b> HDFS counts the bytes read from each stream, and HBase keeps one stream
 * per store file for its positional reads. The count is sampled once a round, so a read has no
 * extra cost. It contains only reads that a DataNode's memory could serve. It contains no hits of
 * HBase's cache. It also excludes compactions and long scans, which open other streams. Files that
 * are read by a link, after a clone from a snapshot, count as unread until they are compacted:
 * HBase hides their stream.
 *
 * @param path of the read file, without scheme and authority; after a split or clone it is another
 *     region's or table's
 * @param length in bytes
 * @param reader identifies the store file among readers of the same file
 * @param region encoded name of the region
 * @param policy for it
 * @param bytesRead by positional reads since it was opened
 * @param erasureCoded whether it is erasure-coded; HDFS cannot lock such files in memory
 */
record OpenFile(
    String path,
    long length,
    String reader,
    String region,
    PinPolicy policy,
    long bytesRead,
    boolean erasureCoded) {

  /** Returns empty if the file is not open or has nothing to pin. */
  static Optional<OpenFile> of(StoreFile file, String region, PinPolicy policy) {
    StoreFileReader reader = file instanceof HStoreFile own ? own.getReader() : null;
    if (reader == null || reader.getReaderContext().getFileSize() == 0) {
      return Optional.empty();
    }
    ReaderContext context = reader.getReaderContext();
    FSDataInputStreamWrapper input = context.getInputStreamWrapper();
    return Optional.of(
        new OpenFile(
            Path.getPathWithoutSchemeAndAuthority(input.getReaderPath()).toString(),
            context.getFileSize(),
            file.getPath().toString(),
            region,
            policy,
            bytesRead(input.getStream(true)) + bytesRead(input.getStream(false)),
            isErasureCoded(input.getStream(false))));
  }

  /** Returns whether the file is erasure-coded, by the class of its stream. */
  static boolean isErasureCoded(InputStream stream) {
    InputStream inner = stream;
    while (inner instanceof FSDataInputStream || inner instanceof CryptoInputStream) {
      inner =
          inner instanceof FSDataInputStream data
              ? data.getWrappedStream()
              : ((CryptoInputStream) inner).getWrappedStream();
    }
    return inner instanceof DFSStripedInputStream;
  }

  private static long bytesRead(FSDataInputStream stream) {
    return stream instanceof HdfsDataInputStream hdfs
        ? hdfs.getReadStatistics().getTotalBytesRead()
        : 0;
  }
}
