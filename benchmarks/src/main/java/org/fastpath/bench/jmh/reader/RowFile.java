package org.fastpath.bench.jmh.reader;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import site.ycsb.Utils;

/**
 * An HFile of rows in a temporary directory, like that of a flush: blocks of 64 KB, a sequence
 * number with each cell. The same shape gives the same bytes.
 *
 * <p>{@link #close} deletes it.
 */
final class RowFile implements Closeable {
  static final byte[] FAMILY = "f".getBytes(StandardCharsets.US_ASCII);

  private static final long TIMESTAMP = 1_700_000_000_000L;
  private static final long SEED = 42;

  /** The approximate bytes of a cell's key and lengths, without the row. */
  private static final int CELL_OVERHEAD = 48;

  /** Creates row keys from numbers, like common load generators. */
  enum Keys {
    /** YCSB's keys: "user" and up to 19 digits of the number's hash. */
    YCSB,
    /** PerformanceEvaluation's keys: 26 digits. */
    PE;

    static Keys of(String id) {
      return valueOf(id.toUpperCase(Locale.ROOT));
    }

    String text(long number) {
      return this == YCSB
          ? "user" + Utils.hash(number)
          : String.format(Locale.ROOT, "%026d", number);
    }

    private byte[] key(long number) {
      return text(number).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the keys of a table, in the order of their bytes. */
    byte[][] present(int count) {
      byte[][] keys = new byte[count][];
      Arrays.setAll(keys, i -> key(2L * i));
      Arrays.parallelSort(keys, Arrays::compare);
      return keys;
    }

    /** Returns a key between those of such a table. */
    byte[] absent(int i) {
      return key(2L * i + 1);
    }
  }

  /** The content of a file, which has about that many bytes before encoding. */
  record Shape(Keys keys, int columns, int valueBytes, DataBlockEncoding encoding, long bytes) {
    int rows() {
      return (int) Math.max(1, bytes / columns / (valueBytes + CELL_OVERHEAD));
    }
  }

  private final Configuration configuration = HBaseConfiguration.create();
  private final FileSystem files = FileSystem.getLocal(configuration).getRaw();
  private final Path file;
  private final Shape shape;
  private final byte[][] rows;

  RowFile(Shape shape) throws IOException {
    this.shape = shape;
    file = new Path(Files.createTempDirectory("reader").resolve("hfile").toUri());
    rows = shape.keys().present(shape.rows());
    write();
  }

  static byte[] qualifier(int column) {
    return ("field" + column).getBytes(StandardCharsets.US_ASCII);
  }

  private void write() throws IOException {
    Random random = new Random(SEED);
    byte[] value = new byte[shape.valueBytes()];
    long sequence = 1;
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(configuration)
            .withPath(files, file)
            .withFileContext(
                new HFileContextBuilder()
                    .withIncludesMvcc(true)
                    .withDataBlockEncoding(shape.encoding())
                    .build())
            .create()) {
      for (byte[] row : rows) {
        for (int column = 0; column < shape.columns(); column++) {
          random.nextBytes(value);
          KeyValue cell = new KeyValue(row, FAMILY, qualifier(column), TIMESTAMP, value);
          cell.setSequenceId(sequence++);
          writer.append(cell);
        }
      }
    }
  }

  /** Returns the keys of all rows, in their order. */
  byte[][] rows() {
    return rows;
  }

  long cells() {
    return (long) rows.length * shape.columns();
  }

  HFile.Reader open(CacheConfig cache) throws IOException {
    return HFile.createReader(files, file, cache, true, configuration);
  }

  @Override
  public void close() throws IOException {
    files.delete(file.getParent(), true);
  }
}
