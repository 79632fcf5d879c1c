package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;

/**
 * Shares the streams of a file's shared reader with one more reader, which does not own them.
 *
 * <p>After four blocks, HBase opens a stream for a scan, because the following blocks are probably
 * needed too and sequential reads are faster. The stream costs three calls to the NameNode. Two
 * open the file, with HDFS's checksums and without. One reads its length. If the blocks are cached,
 * there is nothing to stream. A reader of these streams must use positional reads only, like the
 * shared one.
 *
 * <p>As thread-safe as the shared streams.
 */
final class OffHeapStoreFileStreams extends FSDataInputStreamWrapper {
  private final FSDataInputStreamWrapper shared;

  private OffHeapStoreFileStreams(FSDataInputStreamWrapper shared) {
    super((FSDataInputStream) null);
    this.shared = shared;
  }

  /** Returns the context for a reader that would otherwise have a stream of its own. */
  static ReaderContext share(ReaderContext opened) {
    return new ReaderContext(
        opened.getFilePath(),
        new OffHeapStoreFileStreams(opened.getInputStreamWrapper()),
        opened.getFileSize(),
        opened.getFileSystem(),
        opened.isPrimaryReplicaReader(),
        ReaderType.STREAM);
  }

  static boolean areShared(ReaderContext context) {
    return context.getInputStreamWrapper() instanceof OffHeapStoreFileStreams;
  }

  /** Does nothing, because the streams are already prepared. */
  @Override
  public void prepareForBlockReader(boolean forceNoHBaseChecksum) {}

  @Override
  public boolean shouldUseHBaseChecksum() {
    return shared.shouldUseHBaseChecksum();
  }

  @Override
  public FSDataInputStream getStream(boolean useHBaseChecksum) {
    return shared.getStream(useHBaseChecksum);
  }

  @Override
  public FSDataInputStream fallbackToFsChecksum(int offCount) throws IOException {
    return shared.fallbackToFsChecksum(offCount);
  }

  @Override
  public void checksumOk() {
    shared.checksumOk();
  }

  @Override
  public HFileSystem getHfs() {
    return shared.getHfs();
  }

  @Override
  public Path getReaderPath() {
    return shared.getReaderPath();
  }

  /** Does nothing, because other readers use the streams. */
  @Override
  public void unbuffer() {}

  /** Does nothing, because the owner closes the streams. */
  @Override
  public void close() {}
}
