package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;

/**
 * The streams that are open for a file's shared reader, for one more reader that does not own them.
 *
 * <p>A scan that has read four blocks wants a stream of its own, since the blocks behind are most
 * likely wanted too, and read faster in a row. It costs three calls of the NameNode: two to open
 * the file, with HDFS's checksums and without, and one for its length. Where the blocks are cached
 * there is nothing to stream. A reader of these streams must read by position only, as the shared
 * one does.
 *
 * <p>As safe as what it stands for.
 */
final class OffHeapStoreFileStreams extends FSDataInputStreamWrapper {
  private final FSDataInputStreamWrapper shared;

  private OffHeapStoreFileStreams(FSDataInputStreamWrapper shared) {
    super((FSDataInputStream) null);
    this.shared = shared;
  }

  /** What a reader is opened by that takes the place of one with a stream of its own. */
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

  /** They are prepared. */
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

  /** Others read from them. */
  @Override
  public void unbuffer() {}

  /** Their owner does. */
  @Override
  public void close() {}
}
