package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.Collectors;
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
      Map.of(ClientVariant.SHORT_CIRCUIT, "false")),
  /** From the DataNode without checksums. */
  TCP_UNVERIFIED(
      "tcp-no-checksum",
      "through the DataNode, no checksums",
      Map.of(ClientVariant.SHORT_CIRCUIT, "false")),
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

  private final ClientVariant variant;

  ReadMode(String id, String description, Map<String, String> conf) {
    this.variant = ClientVariant.stock(id, description, conf);
  }

  String id() {
    return variant.id();
  }

  ClientVariant variant() {
    return variant;
  }

  /** Returns whether the DataNode sends the bytes. */
  boolean throughDataNode() {
    return this == TCP || this == TCP_UNVERIFIED;
  }

  private boolean mapped() {
    return this == ZERO_COPY || this == ZERO_COPY_REMAPPED;
  }

  private boolean verified() {
    return this == TCP || this == SHORT_CIRCUIT;
  }

  /** Opens a file for this mode. */
  FSDataInputStream open(FileSystem files, Path path) throws IOException {
    prepare(files);
    return files.open(path);
  }

  /** Switches verification on or off for files that are opened from now on. */
  void prepare(FileSystem files) {
    files.setVerifyChecksum(verified());
  }

  /** Returns a range of an open file. */
  Chunks chunks(FSDataInputStream in, long begin, long end, int chunkBytes) {
    return mapped()
        ? new MappedChunks(in, begin, end, chunkBytes)
        : new CopiedChunks(in, begin, end, chunkBytes);
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
    long wantedMapped = mapped() ? all : 0;
    long wantedLocal = throughDataNode() ? 0 : all;
    if (mapped != wantedMapped || local != wantedLocal) {
      throw new IOException(
          String.format(
              "%s: of %d bytes %d were read by short circuit and %d without a copy",
              id(), all, local, mapped));
    }
  }

  static ReadMode of(String id) {
    return Arrays.stream(values())
        .filter(mode -> mode.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException("there is no mode " + id + "; choose from " + ids()));
  }

  private static String ids() {
    return Arrays.stream(values()).map(ReadMode::id).collect(Collectors.joining(", "));
  }

  /** Chunks that are slices of mappings, by HDFS's own zero-copy call. */
  static final class MappedChunks implements Chunks {
    private static final EnumSet<ReadOption> UNVERIFIED = EnumSet.of(ReadOption.SKIP_CHECKSUMS);

    private final FSDataInputStream in;
    private final long begin;
    private final long end;
    private final int chunkBytes;
    private final ElasticByteBufferPool pool = new ElasticByteBufferPool();
    private ByteBuffer lent;

    MappedChunks(FSDataInputStream in, long begin, long end, int chunkBytes) {
      this.in = in;
      this.begin = begin;
      this.end = end;
      this.chunkBytes = chunkBytes;
    }

    @Override
    public void rewind() throws IOException {
      giveBack();
      in.seek(begin);
    }

    @Override
    public ByteBuffer next() throws IOException {
      giveBack();
      long left = end - in.getPos();
      if (left == 0) {
        return null;
      }
      lent = in.read(pool, (int) Math.min(chunkBytes, left), UNVERIFIED);
      if (lent == null) {
        throw new IOException("the file ends at " + in.getPos() + ", not at " + end);
      }
      return lent.slice().order(ByteOrder.nativeOrder());
    }

    /** Releases the slice; the mapping may go after the last release. */
    private void giveBack() {
      if (lent != null) {
        in.releaseBuffer(lent);
        lent = null;
      }
    }

    @Override
    public void close() throws IOException {
      giveBack();
      in.close();
    }
  }

  /** Chunks that HDFS copies into one direct buffer. */
  static final class CopiedChunks implements Chunks {
    private final FSDataInputStream in;
    private final long begin;
    private final long end;
    private final ByteBuffer buffer;

    CopiedChunks(FSDataInputStream in, long begin, long end, int chunkBytes) {
      this.in = in;
      this.begin = begin;
      this.end = end;
      this.buffer = ByteBuffer.allocateDirect(chunkBytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public void rewind() throws IOException {
      in.seek(begin);
    }

    @Override
    public ByteBuffer next() throws IOException {
      long left = end - in.getPos();
      if (left == 0) {
        return null;
      }
      buffer.clear().limit((int) Math.min(buffer.capacity(), left));
      while (buffer.hasRemaining()) {
        if (in.read(buffer) < 0) {
          throw new IOException("the file ends at " + in.getPos() + ", not at " + end);
        }
      }
      return buffer.flip();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
