package org.fastpath.bench.workloads.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.ElasticByteBufferPool;

/**
 * The ways from a file to the loop that reads it.
 *
 * <p>A short-circuit reader of a cached replica always skips checksums, because the DataNode has
 * verified them. {@link #SHORT_CIRCUIT} represents an uncached replica. Without the memory that
 * client and DataNode share, the client does not know that the replica is cached, and verifies.
 */
enum ReadMode {
  /** From the DataNode. */
  TCP(
      "tcp",
      "through the DataNode, checksums verified",
      Map.of("dfs.client.read.shortcircuit", "false")),
  /** From the DataNode without checksums. */
  TCP_UNVERIFIED(
      "tcp-no-checksum",
      "through the DataNode, no checksums",
      Map.of("dfs.client.read.shortcircuit", "false")),
  /** From the block file, like an uncached replica. */
  SHORT_CIRCUIT(
      "short-circuit",
      "from the block file, checksums verified as for a replica that is not cached",
      Map.of("dfs.short.circuit.shared.memory.watcher.interrupt.check.ms", "0")),
  /** From the block file. */
  SHORT_CIRCUIT_UNVERIFIED(
      "short-circuit-no-checksum", "from the block file, no checksums", Map.of()),
  /** From mappings that are kept. */
  ZERO_COPY("zero-copy", "from mappings of the block files, which are kept", Map.of()),
  /** From mappings that are not kept, as for a file larger than the cache of mappings. */
  ZERO_COPY_REMAPPED(
      "zero-copy-remapped",
      "from mappings that each pass makes anew, as for files larger than the cache of mappings",
      Map.of("dfs.client.mmap.cache.size", "1")),
  /** From memory of the client, which no way of reading can exceed. */
  MEMORY("memory", "the same bytes in memory of the process: the ceiling", Map.of());

  private final CachedFile.Client client;

  /** Gives a file to a receiver, chunk by chunk; a chunk is valid until the receiver returns. */
  interface Source {
    /** Reads the whole file. Chunks are in native order, from position to limit. */
    void read(Consumer<ByteBuffer> receiver) throws IOException;
  }

  ReadMode(String id, String description, Map<String, String> conf) {
    this.client = new CachedFile.Client(id, description, conf);
  }

  String id() {
    return client.id();
  }

  CachedFile.Client client() {
    return client;
  }

  /** Returns whether the DataNode sends the bytes. */
  boolean throughDataNode() {
    return this == TCP || this == TCP_UNVERIFIED;
  }

  private boolean mapped() {
    return this == ZERO_COPY || this == ZERO_COPY_REMAPPED;
  }

  /** Opens a file for this mode. */
  FSDataInputStream open(FileSystem files, Path path) throws IOException {
    files.setVerifyChecksum(this == TCP || this == SHORT_CIRCUIT);
    return files.open(path);
  }

  /** Returns the source of a file's chunks, which opens it once. */
  Source source(FSDataInputStream in, DoubleFile file, int chunkBytes) {
    if (this == MEMORY) {
      List<ByteBuffer> memory = file.inMemory(chunkBytes);
      return memory::forEach;
    }
    if (mapped()) {
      ElasticByteBufferPool pool = new ElasticByteBufferPool();
      return receiver -> readMapped(in, file.bytes(), chunkBytes, pool, receiver);
    }
    ByteBuffer buffer = ByteBuffer.allocateDirect(chunkBytes).order(ByteOrder.nativeOrder());
    return receiver -> readCopied(in, file.bytes(), buffer, receiver);
  }

  /** Reads slices of mappings, by HDFS's own zero-copy call. */
  private static void readMapped(
      FSDataInputStream in,
      long end,
      int chunkBytes,
      ElasticByteBufferPool pool,
      Consumer<ByteBuffer> receiver)
      throws IOException {
    in.seek(0);
    while (in.getPos() < end) {
      int length = (int) Math.min(chunkBytes, end - in.getPos());
      ByteBuffer lent = in.read(pool, length, EnumSet.of(ReadOption.SKIP_CHECKSUMS));
      if (lent == null) {
        throw new EOFException("the file ends at " + in.getPos() + ", not at " + end);
      }
      try {
        receiver.accept(lent.slice().order(ByteOrder.nativeOrder()));
      } finally {
        // The mapping may go after the last release.
        in.releaseBuffer(lent);
      }
    }
  }

  private static void readCopied(
      FSDataInputStream in, long end, ByteBuffer buffer, Consumer<ByteBuffer> receiver)
      throws IOException {
    in.seek(0);
    while (in.getPos() < end) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), end - in.getPos()));
      while (buffer.hasRemaining()) {
        if (in.read(buffer) < 0) {
          throw new EOFException("the file ends at " + in.getPos() + ", not at " + end);
        }
      }
      receiver.accept(buffer.flip());
    }
  }

  /**
   * Fails unless all bytes were read in this mode. Otherwise a missing libhadoop or a remote
   * replica would give figures under the wrong name.
   */
  void confirm(FSDataInputStream in) throws IOException {
    ReadStatistics statistics = ((HdfsDataInputStream) in).getReadStatistics();
    long all = statistics.getTotalBytesRead();
    long mapped = statistics.getTotalZeroCopyBytesRead();
    long local = statistics.getTotalShortCircuitBytesRead();
    if (mapped != (mapped() ? all : 0) || local != (throughDataNode() ? 0 : all)) {
      throw new IOException(
          String.format(
              "%s: of %d bytes %d were read by short circuit and %d without a copy",
              id(), all, local, mapped));
    }
  }
}
