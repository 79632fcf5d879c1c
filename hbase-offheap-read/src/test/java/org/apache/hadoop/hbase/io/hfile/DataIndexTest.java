package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.offheap.reader.LeafIndex;
import org.fastpath.offheap.reader.LeafIndexes;
import org.fastpath.offheap.reader.SearchKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataIndexTest {
  private static final long SEED = Long.getLong("index.seed", System.nanoTime());
  private static final CellComparator COMPARATOR = CellComparator.getInstance();
  private static final int BLOCK_BYTES = 1000;

  private final SplittableRandom random = new SplittableRandom(SEED);

  private byte[] row(int length) {
    byte[] row = Bytes.toBytes("shared-by-all/" + "x".repeat(length));
    for (int i = 14; i < row.length; i++) {
      row[i] = (byte) random.nextInt(i < 20 ? 2 : 256);
    }
    return row;
  }

  private KeyValue key() {
    return KeyValueUtil.createFirstOnRow(row(random.nextInt(1, 20)));
  }

  @Test
  void aLeafFindsWhatHBaseFinds() throws IOException {
    int found = 0;
    for (int i = 0; i < 300; i++) {
      List<KeyValue> keys =
          random.ints(random.nextInt(1, 60)).mapToObj(n -> key()).sorted(COMPARATOR).toList();
      SingleByteBuff contents = new SingleByteBuff(ByteBuffer.wrap(leaf(keys)));
      LeafIndex leaf = new LeafIndex(7, 8, contents);
      for (int k = 0; k < 100; k++) {
        Cell key =
            random.nextBoolean()
                ? key()
                : PrivateCellUtil.createFirstOnRow(keys.get(random.nextInt(keys.size())));
        SearchKey searched = new SearchKey();
        searched.set(key);
        int entry = leaf.find(searched);
        if (entry != LeafIndex.UNKNOWN) {
          found++;
          assertThat(entry)
              .as("index.seed=%s, index %s, key %s", SEED, i, key)
              .isEqualTo(
                  HFileBlockIndex.BlockIndexReader.binarySearchNonRootIndex(
                      key, contents, COMPARATOR));
          assertThat(leaf.offset(entry)).isEqualTo((long) BLOCK_BYTES * entry);
        }
      }
    }
    assertThat(found).isGreaterThan(5000);
  }

  private static byte[] leaf(List<KeyValue> keys) throws IOException {
    HFileBlockIndex.BlockIndexChunkImpl chunk = new HFileBlockIndex.BlockIndexChunkImpl();
    for (int i = 0; i < keys.size(); i++) {
      chunk.add(
          PrivateCellUtil.getCellKeySerializedAsKeyValueKey(keys.get(i)),
          (long) BLOCK_BYTES * i,
          BLOCK_BYTES);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    NoOpIndexBlockEncoder.INSTANCE.encode(chunk, false, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Test
  void leavesAreCopiedAtTheFirstSearchAndDroppedWithTheFile(@TempDir Path directory)
      throws IOException {
    Configuration conf = new Configuration();
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, 4096);
    FileSystem fs = FileSystem.getLocal(conf).getRaw();
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(directory.toUri() + "/t/r/f/1");
    int rows = 20_000;
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf))
            .withPath(fs, path)
            .withFileContext(new HFileContextBuilder().withBlockSize(1024).build())
            .create()) {
      for (int row = 0; row < rows; row++) {
        writer.append(cell(row));
      }
    }
    long before = LeafIndexes.used();
    try (HFile.Reader reader = HFile.createReader(fs, path, new CacheConfig(conf), true, conf)) {
      assertThat(reader.getTrailer().getNumDataIndexLevels()).isEqualTo(2);
      OffHeapHFile stream = new OffHeapHFile(reader, conf);
      assertThat(stream.scanner(true, false, false).seekTo(cell(5))).isZero();
      OffHeapHFile ended = new OffHeapHFile(reader, conf);
      HFileScanner late = ended.scanner(true, true, false);
      ended.close();
      assertThat(late.seekTo(cell(5))).isZero();
      assertThat(LeafIndexes.used()).as("of a stream and of a closed file").isEqualTo(before);
      OffHeapHFile file = new OffHeapHFile(reader, conf);
      HFileScanner scanner = file.scanner(true, true, false);
      HFileScanner stock = reader.getScanner(conf, true, true);
      for (int i = 0; i < 4 * rows; i++) {
        Cell key = cell(random.nextInt(rows));
        assertThat(scanner.seekTo(key)).isZero();
        stock.seekTo(key);
        if (i % 10 == 0) {
          assertThat(text(scanner.getNextIndexedKey())).isEqualTo(text(stock.getNextIndexedKey()));
        }
      }
      int leaves = reader.getDataBlockIndexReader().getRootBlockCount();
      assertThat(leaves).isGreaterThan(10);
      assertThat(LeafIndexes.used() - before).isPositive();
      file.close();
      assertThat(LeafIndexes.used()).isEqualTo(before);
      assertThat(scanner.seekTo(cell(5))).isZero();
      assertThat(LeafIndexes.used()).isEqualTo(before);
    }
  }

  private static String text(Cell cell) {
    return cell == null || cell == KeyValueScanner.NO_NEXT_INDEXED_KEY ? "none" : cell.toString();
  }

  private static KeyValue cell(int row) {
    return new KeyValue(
        Bytes.toBytes(String.format("user%012d", row)),
        Bytes.toBytes("f"),
        Bytes.toBytes("q"),
        1,
        new byte[60]);
  }
}
