package org.fastpath.bench.jmh.reader;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

  /** The content of a file, which has about that many bytes before encoding. */
  record Shape(RowKeys keys, int columns, int valueBytes, DataBlockEncoding encoding, long bytes) {
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
