package org.fastpath.bench.engine.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Data blocks of an HFile in a temporary file, in the form in which they are cached. They are
 * encoded as in the file. They are compressed if HBase is configured to keep them so ({@code
 * hbase.block.data.cachecompressed}).
 */
public final class WrittenBlocks {
  private static final int LARGEST_MIXED = 20 << 10;
  private static final int SMALLEST_MIXED = 50;
  private static final int WORDS = 1 << 10;
  private static final int WORD = 8;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final long TIMESTAMP = 1_700_000_000_000L;
  private static final long SEED = 42;
  private static final byte[][] DICTIONARY = new byte[WORDS][];

  static {
    Random random = new Random(SEED);
    Arrays.setAll(DICTIONARY, i -> Bytes.toBytes(String.format("%08x", random.nextInt())));
  }

  private WrittenBlocks() {}

  /**
   * Writes a file and reads its blocks.
   *
   * @param values bytes of a value, or mixed
   * @param coding NONE, FAST_DIFF or SNAPPY
   * @param bytes of keys and values together
   */
  public static List<HFileBlock> of(String values, String coding, long bytes) throws IOException {
    HFileContext context = context(coding);
    Configuration configuration = HBaseConfiguration.create();
    java.nio.file.Path directory = Files.createTempDirectory("blocks");
    Path file = new Path(directory.resolve("hfile").toUri());
    FileSystem files = FileSystem.getLocal(configuration).getRaw();
    try {
      try (HFile.Writer writer =
          HFile.getWriterFactoryNoCache(configuration)
              .withPath(files, file)
              .withFileContext(context)
              .create()) {
        write(writer, values, bytes);
      }
      try (HFile.Reader reader =
          HFile.createReader(files, file, new CacheConfig(configuration), true, configuration)) {
        return read(reader, coding.equals("SNAPPY"), true);
      }
    } finally {
      files.delete(new Path(directory.toUri()), true);
    }
  }

  private static HFileContext context(String coding) {
    HFileContextBuilder context = new HFileContextBuilder().withIncludesMvcc(true);
    return switch (coding) {
      case "NONE" -> context.build();
      case "FAST_DIFF" -> context.withDataBlockEncoding(DataBlockEncoding.FAST_DIFF).build();
      case "SNAPPY" -> context.withCompression(Compression.Algorithm.SNAPPY).build();
      default ->
          throw new IllegalArgumentException(
              coding + " is not a coding; choose NONE, FAST_DIFF or SNAPPY");
    };
  }

  private static void write(HFile.Writer writer, String values, long bytes) throws IOException {
    Random random = new Random(SEED);
    long written = 0;
    for (int row = 0; written < bytes; row++) {
      byte[] value = value(length(values, random), random);
      byte[] key = Bytes.toBytes(String.format("user%010d", row));
      writer.append(new KeyValue(key, FAMILY, QUALIFIER, TIMESTAMP, value));
      written += value.length + key.length;
    }
  }

  /** Returns a length; mixed ones are many small and few large, evenly over powers of two. */
  private static int length(String values, Random random) {
    if (!values.equals("mixed")) {
      return Integer.parseInt(values);
    }
    double span = Math.log((double) LARGEST_MIXED / SMALLEST_MIXED);
    return (int) (SMALLEST_MIXED * Math.exp(random.nextDouble() * span));
  }

  /** Returns words of a small dictionary, which Snappy compresses to about half. */
  private static byte[] value(int length, Random random) {
    byte[] value = new byte[length];
    for (int at = 0; at < length; at += WORD) {
      byte[] word = DICTIONARY[random.nextInt(WORDS)];
      System.arraycopy(word, 0, value, at, Math.min(WORD, length - at));
    }
    return value;
  }

  /**
   * Reads all data blocks of a file.
   *
   * @param packed whether compressed blocks stay compressed
   * @param intoHeap whether they are on the heap, or in buffers of the reader's allocator
   */
  public static List<HFileBlock> read(HFile.Reader reader, boolean packed, boolean intoHeap)
      throws IOException {
    List<HFileBlock> blocks = new ArrayList<>();
    HFileBlock.FSReader blockReader = reader.getUncachedBlockReader();
    long offset = reader.getTrailer().getFirstDataBlockOffset();
    while (offset <= reader.getTrailer().getLastDataBlockOffset()) {
      HFileBlock block = blockReader.readBlockData(offset, -1, true, false, intoHeap);
      offset += block.getOnDiskSizeWithHeader();
      if (block.getBlockType().isData()) {
        blocks.add(packed ? block : block.unpack(reader.getFileContext(), blockReader));
      }
    }
    return blocks;
  }
}
