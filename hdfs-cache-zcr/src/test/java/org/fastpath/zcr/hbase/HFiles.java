package org.fastpath.zcr.hbase;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValue.KeyOnlyKeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.FileLink;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContextBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.offheap.reader.BlockSource;
import org.fastpath.offheap.reader.Scanners;
import org.fastpath.zcr.TestHdfs;
import org.fastpath.zcr.ZeroCopyFileSystem;

/** HFiles on real HDFS, read as a RegionServer reads them. */
final class HFiles implements AutoCloseable {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int BLOCK_BYTES = 20_000;

  private final TestHdfs hdfs;
  private final Configuration conf;
  private final HFileSystem fs;
  private final HFileSystem stockFs;

  /**
   * Connects to a file system.
   *
   * @param keysAndValues keys and values of the configuration, in turns
   */
  HFiles(TestHdfs hdfs, String... keysAndValues) throws IOException {
    this.hdfs = hdfs;
    conf = hdfs.conf();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    conf.set("fs.hdfs.impl", ZeroCopyFileSystem.class.getName());
    fs = new HFileSystem(conf, true);
    stockFs = new HFileSystem(hdfs.conf(), true);
  }

  static byte[] row(int number) {
    return Bytes.toBytes(String.format("row-%07d", number));
  }

  /** Returns the first possible key of a row, which no cell has. */
  static Cell key(int row) {
    return new KeyOnlyKeyValue(KeyValueUtil.createFirstOnRow(row(row)).getKey());
  }

  /** Writes a file with the given number of rows, in many blocks. */
  Path write(String name, DataBlockEncoding encoding, int rows, Random random) throws IOException {
    Path path = new Path("/region/family/" + name);
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf))
            .withPath(hdfs.stock(), path)
            .withFileContext(
                new HFileContextBuilder()
                    .withBlockSize(BLOCK_BYTES)
                    .withDataBlockEncoding(encoding)
                    .withCompression(Compression.Algorithm.NONE)
                    .withBytesPerCheckSum(4096)
                    .withIncludesMvcc(true)
                    .build())
            .create()) {
      for (int i = 0; i < rows; i++) {
        byte[] value = new byte[random.nextInt(800)];
        random.nextBytes(value);
        writer.append(new KeyValue(row(i), FAMILY, FAMILY, 1000 + i, value));
      }
    }
    return path;
  }

  /** Copies a file and changes one byte. HDFS's checksums match the changed byte. */
  Path copyWithError(Path file, String name, long position) throws IOException {
    Path copy = new Path("/region/family/" + name);
    byte[] bytes = new byte[(int) hdfs.stock().getFileStatus(file).getLen()];
    try (FSDataInputStream in = hdfs.stock().open(file);
        OutputStream out = hdfs.stock().create(copy)) {
      in.readFully(bytes);
      bytes[(int) position]++;
      out.write(bytes);
    }
    return copy;
  }

  Configuration conf() {
    return conf;
  }

  /** Opens a reader of HBase on stock HDFS. */
  HFile.Reader stock(Path file) throws IOException {
    return open(hdfs.stock(), file);
  }

  /** Opens a reader of HBase on stock HDFS that verifies HBase's checksums, like a RegionServer. */
  HFile.Reader stockOfServer(Path file) throws IOException {
    return open(stockFs, file);
  }

  /** Opens a file with mapped blocks, like the off-heap reader. */
  Mapped mapped(Path file) throws IOException {
    return new Mapped(open(fs, file));
  }

  /** Opens a link to a file with mapped blocks, as a store opens the files of a clone. */
  Mapped mapped(FileLink link) throws IOException {
    return new Mapped(open(link, new CacheConfig(conf)));
  }

  /** Returns the mapped blocks of an open file. */
  BlockSource source(HFile.Reader reader) {
    MappedBlocks.ask();
    return new MappedBlockSources().open(reader, ByteBuffAllocator.HEAP, conf, firstRead -> {});
  }

  /** A reader of HBase, its mapped blocks, and scanners over both. */
  final class Mapped implements AutoCloseable {
    private final HFile.Reader reader;
    private final BlockSource source;
    private final Scanners scanners;

    private Mapped(HFile.Reader reader) {
      this.reader = reader;
      source = source(reader);
      scanners = new Scanners(reader, conf);
    }

    HFile.Reader reader() {
      return reader;
    }

    /** Returns a block in a mapping, or null. */
    HFileBlock block(long offset) {
      HFileBlock block = source.dataBlock(offset, false);
      return block == null && source.prepare(offset) ? source.dataBlock(offset, false) : block;
    }

    HFileScanner scanner() {
      return scanner(false);
    }

    HFileScanner scanner(boolean isCompaction) {
      return scanners.open(false, true, isCompaction);
    }

    @Override
    public void close() throws IOException {
      scanners.close();
      source.close();
      reader.close();
    }
  }

  /** Opens a reader over mappings and a cache, for the off-heap reader's scanners. */
  HFile.Reader joined(Path file, BlockCache cache) throws IOException {
    MappedBlocks.ask();
    return HFile.createReader(fs, file, cached(cache), true, conf);
  }

  /** The same for a link to a file. */
  HFile.Reader joined(FileLink link, BlockCache cache) throws IOException {
    MappedBlocks.ask();
    return open(link, cached(cache));
  }

  private CacheConfig cached(BlockCache cache) {
    return new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
  }

  private HFile.Reader open(FileLink link, CacheConfig cacheConfig) throws IOException {
    ReaderContext context =
        new ReaderContextBuilder()
            .withFilePath(link.getAvailablePath(fs))
            .withFileSize(link.getFileStatus(fs).getLen())
            .withFileSystem(fs)
            .withInputStreamWrapper(new FSDataInputStreamWrapper(fs, link, false, 0))
            .build();
    HFileInfo info = new HFileInfo(context, conf);
    HFile.Reader reader = HFile.createReader(context, info, cacheConfig, conf);
    info.initMetaAndIndex(reader);
    return reader;
  }

  private HFile.Reader open(FileSystem fileSystem, Path file) throws IOException {
    return HFile.createReader(fileSystem, file, new CacheConfig(conf), true, conf);
  }

  @Override
  public void close() throws IOException {
    fs.close();
    stockFs.close();
  }
}
