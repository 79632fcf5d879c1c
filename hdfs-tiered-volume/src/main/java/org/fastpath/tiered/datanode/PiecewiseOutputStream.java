package org.fastpath.tiered.datanode;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.Objects;

/**
 * Writes a large array to a file in pieces.
 *
 * <p>The JDK copies an array out of the heap before the kernel copies it into the page cache. The
 * copy of a packet of half a megabyte does not stay in a core's cache between the two. That of a
 * piece does. Not thread-safe, as HDFS has one writer for each replica.
 */
final class PiecewiseOutputStream extends FileOutputStream {
  /**
   * Bytes that are written in pieces. When the JDK frees that much or more, glibc may return the
   * memory to the kernel, and the next copy pays for new pages. HDFS's own packets have less.
   */
  static final int LARGE_BYTES = 64 << 10;

  /** The bytes of a piece: whole pages. */
  static final int PIECE_BYTES = 60 << 10;

  private final FileOutputStream file;

  /**
   * Wraps a stream. Closing either closes the file.
   *
   * @param descriptor of the open file
   * @param file gets the pieces
   */
  PiecewiseOutputStream(FileDescriptor descriptor, FileOutputStream file) {
    super(descriptor);
    this.file = file;
  }

  @Override
  public void write(int value) throws IOException {
    file.write(value);
  }

  @Override
  public void write(byte[] bytes) throws IOException {
    write(bytes, 0, bytes.length);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int end = offset + length;
    int at = offset;
    while (end - at >= LARGE_BYTES) {
      file.write(bytes, at, PIECE_BYTES);
      at += PIECE_BYTES;
    }
    file.write(bytes, at, end - at);
  }
}
