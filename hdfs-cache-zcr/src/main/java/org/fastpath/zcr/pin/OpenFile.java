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
 * <p><b>Where heat comes from.</b> HDFS counts the bytes read from each stream, and HBase keeps one
 * stream a store file for its positional reads. That count is looked at once a round, so that a
 * read pays nothing for it. It has what memory at a DataNode would serve and nothing else: no block
 * that HBase's own cache had, and neither compactions nor long scans, which open streams of their
 * own. Files that are read by a link, those of a table that was cloned from a snapshot, count as
 * not read until they are compacted: HBase hides their stream.
 *
 * @param path of the file that is read, which after a split is one of the parent's and after a
 *     clone one of another table; without scheme and authority
 * @param length in bytes
 * @param reader tells it from other store files that read the same file
 * @param region encoded name of the region
 * @param policy for it
 * @param bytesRead by positional reads since it was opened
 * @param erasureCoded whether HDFS has it erasure-coded, which it cannot lock in memory
 */
record OpenFile(
    String path,
    long length,
    String reader,
    String region,
    PinPolicy policy,
    long bytesRead,
    boolean erasureCoded) {

  /** Empty for one that is not open, or has nothing that could be pinned. */
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

  /** The kind of stream tells it, so that nobody has to be asked. */
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
