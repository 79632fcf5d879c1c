package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.IndexKeys;
import org.apache.hadoop.hbase.io.hfile.OffHeapHFile;
import org.apache.hadoop.io.WritableUtils;
import org.fastpath.offheap.reader.HFileSamples.Sample;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Reads cached blocks with wrong lengths. If a length is impossible, the exception names the file,
 * the block and the position. Whatever a length is, no byte outside of the block is read. So the
 * result does not depend on the bytes around the block.
 *
 * <p>{@code -Dcorruption.seed} repeats a run.
 */
class CorruptBlockTest {
  private static final long SEED = Long.getLong("corruption.seed", System.nanoTime());
  private static final int FLIPS = 400;
  private static final int HEADER = HConstants.HFILEBLOCK_HEADER_SIZE;
  private static final int UNCOMPRESSED_SIZE = 12;

  /** The bytes before a cell's key; the row's length follows. */
  private static final int LENGTHS = 2 * Integer.BYTES;

  private static final int MIN_KEY = 12;

  private final Configuration conf = HBaseConfiguration.create();
  private final SplittableRandom random = new SplittableRandom(SEED);

  /** A cache that puts the same blocks between other bytes. */
  private final PatchworkCache zeros = new PatchworkCache(random, 1, (byte) 0);

  private final PatchworkCache ones = new PatchworkCache(random, 1, (byte) 0xff);

  private final List<HFile.Reader> readers = new ArrayList<>();
  private Sample sample;

  @TempDir Path directory;

  /** An error that makes an unencoded cell invalid. */
  enum Lie {
    NO_KEY,
    KEY_TOO_SHORT,
    KEY_NEGATIVE,
    KEY_BEHIND_END,
    KEY_HUGE,
    VALUE_NEGATIVE,
    VALUE_BEHIND_END,
    VALUE_HUGE,
    ROW_NEGATIVE,
    ROW_LONGER_THAN_KEY,
    ROW_HUGE,
    FAMILY_LONGER_THAN_KEY,
    FAMILY_NEGATIVE,
    TAGS_BEHIND_END,
    TAGS_HUGE,
    SEQUENCE_BEHIND_END,
    TRUNCATED
  }

  /** The positions of an unencoded cell in a block's contents, without the block's header. */
  private record Place(int position, int key, int value, int row, int tags, int end) {
    int tagsAt() {
      return position + LENGTHS + key + value;
    }

    int sequenceAt() {
      return tagsAt() + Short.BYTES + tags;
    }

    int familyAt() {
      return position + LENGTHS + Short.BYTES + row;
    }
  }

  @BeforeEach
  void printSeed() {
    System.out.println("corruption.seed=" + SEED);
  }

  @AfterEach
  void close() throws IOException {
    for (HFile.Reader reader : readers) {
      reader.close();
    }
  }

  private void write(DataBlockEncoding encoding) throws IOException {
    HFileShape shape =
        new HFileShape(
            encoding,
            Compression.Algorithm.NONE,
            HFileShape.Comparison.DEFAULT,
            HFileShape.Rows.NUMBERED,
            HFileShape.Values.SMALL,
            HFileShape.Tags.SOME_CELLS,
            false,
            HFileShape.Mvcc.HUGE,
            300,
            2,
            2,
            1,
            4 << 10,
            128 << 10);
    sample = new HFileSamples(conf, directory).write(shape, random.nextLong());
  }

  /** Opens the file and reads its blocks into the cache. */
  private OffHeapHFile open(PatchworkCache cache) throws IOException {
    HFile.Reader reader =
        sample.open(conf, new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP));
    readers.add(reader);
    OffHeapHFile file = new OffHeapHFile(reader, conf);
    assertThat(walk(file)).hasSize(sample.cells().size());
    return file;
  }

  /** Returns each cell of the file, and the exception if one ends the walk. */
  private List<String> walk(OffHeapHFile file) {
    List<String> seen = new ArrayList<>();
    try (HFileScanner scanner = file.scanner(true, true, false)) {
      Outcome<Boolean> more = Outcome.of(scanner::seekTo);
      while (more.returned() && more.value() && seen.size() < 10 * sample.cells().size()) {
        seen.add(seen(scanner));
        more = Outcome.of(scanner::next);
      }
      if (!more.returned()) {
        seen.add(more.toString());
      }
    }
    return seen;
  }

  /** Describes the current cell, or the exception: a seek reads its cell only when asked for it. */
  private static String seen(HFileScanner scanner) {
    Outcome<Cell> current = Outcome.of(scanner::getCell);
    if (!current.returned()) {
      assertThat(scanner.isSeeked()).isFalse();
      return current.toString();
    }
    ExtendedCell cell = (ExtendedCell) current.value();
    return Outcome.of(() -> Arrays.toString(CellDifference.written(cell, true))).toString()
        + Outcome.of(() -> Arrays.toString(CellDifference.arrays(cell)))
        + cell.getSequenceId();
  }

  /** Searches for some keys. Returns where each search ends and the next cell, or the exception. */
  private List<String> search(OffHeapHFile file, List<Cell> keys) {
    List<String> seen = new ArrayList<>();
    for (Cell key : keys) {
      try (HFileScanner scanner = file.scanner(true, true, false)) {
        seen.add(sought(scanner, () -> scanner.seekTo(key)));
        seen.add(sought(scanner, scanner::next));
        seen.add(sought(scanner, () -> scanner.seekBefore(key)));
        seen.add(sought(scanner, () -> scanner.reseekTo(key)));
      }
    }
    return seen;
  }

  private static String sought(HFileScanner scanner, Outcome.Call<?> seek) {
    Outcome<?> outcome = Outcome.of(seek);
    return outcome.returned() && scanner.isSeeked() ? outcome + seen(scanner) : outcome.toString();
  }

  @ParameterizedTest
  @EnumSource
  void anImpossibleLengthIsNamedWithItsPlace(Lie lie) throws IOException {
    write(DataBlockEncoding.NONE);
    OffHeapHFile file = open(zeros);
    OffHeapHFile other = open(ones);
    for (BlockCacheKey key : dataBlocks(zeros)) {
      byte[] good = zeros.serialized(key).clone();
      List<Place> places = places(good);
      for (Place place : List.of(places.get(0), places.get(random.nextInt(places.size())))) {
        byte[] bad = lie(lie, good, place);
        zeros.replace(key, bad);
        ones.replace(key, bad);
        List<String> seen = walk(file);
        assertThat(seen.get(seen.size() - 1))
            .contains("IllegalStateException")
            .contains(sample.path().getName())
            .contains("offset: " + key.getOffset())
            .contains("position " + place.position());
        assertThat(walk(other)).isEqualTo(seen);
        List<Cell> keys = someKeys();
        assertThat(search(other, keys)).isEqualTo(search(file, keys));
      }
      zeros.replace(key, good);
      ones.replace(key, good);
    }
    assertNothingIsHeld();
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"})
  void nothingIsReadOutsideOfABlockWhoseBytesAreWrong(DataBlockEncoding encoding)
      throws IOException {
    write(encoding);
    OffHeapHFile file = open(zeros);
    OffHeapHFile other = open(ones);
    if (isLeftToHBase(file)) {
      return;
    }
    List<BlockCacheKey> blocks = dataBlocks(zeros);
    for (int i = 0; i < FLIPS; i++) {
      BlockCacheKey key = blocks.get(random.nextInt(blocks.size()));
      byte[] good = zeros.serialized(key);
      byte[] bad = good.clone();
      int end = good.length - HFileBlock.BLOCK_METADATA_SPACE;
      bad[random.nextInt(HEADER, end)] = (byte) random.nextInt();
      zeros.replace(key, bad);
      ones.replace(key, bad);
      assertThat(walk(other)).isEqualTo(walk(file));
      List<Cell> keys = someKeys();
      assertThat(search(other, keys)).isEqualTo(search(file, keys));
      zeros.replace(key, good);
      ones.replace(key, good);
    }
    assertNothingIsHeld();
  }

  /**
   * Returns whether HBase's own scanner reads the file, because the reader has no cursor for its
   * encoding.
   */
  private static boolean isLeftToHBase(OffHeapHFile file) {
    try (HFileScanner scanner = file.scanner(true, true, false)) {
      return !OffHeapHFile.isOffHeap(scanner);
    }
  }

  private void assertNothingIsHeld() {
    assertThat(zeros.held()).isZero();
    assertThat(ones.held()).isZero();
  }

  /**
   * Returns keys of cells and of each block's index entry. A search for the cell before an index
   * key begins in that block.
   */
  private List<Cell> someKeys() {
    List<Cell> keys = IndexKeys.of(readers.get(0));
    for (int i = 0; i < 10; i++) {
      keys.add(sample.cells().get(random.nextInt(sample.cells().size())));
    }
    return keys;
  }

  private static List<BlockCacheKey> dataBlocks(PatchworkCache cache) {
    List<BlockCacheKey> blocks = new ArrayList<>();
    for (BlockCacheKey key : cache.keys()) {
      if (key.getBlockType() == null || key.getBlockType().isData()) {
        blocks.add(key);
      }
    }
    assertThat(blocks).hasSizeGreaterThan(3);
    return blocks;
  }

  private static List<Place> places(byte[] serialized) throws IOException {
    ByteBuffer block =
        ByteBuffer.wrap(
                serialized, HEADER, serialized.length - HEADER - HFileBlock.BLOCK_METADATA_SPACE)
            .slice();
    List<Place> places = new ArrayList<>();
    for (int at = 0; at < block.limit(); at = places.get(places.size() - 1).end()) {
      int key = block.getInt(at);
      int value = block.getInt(at + Integer.BYTES);
      int row = block.getShort(at + LENGTHS);
      int tags = block.getShort(at + LENGTHS + key + value);
      int sequence = at + LENGTHS + key + value + Short.BYTES + tags;
      int end = sequence + WritableUtils.decodeVIntSize(block.get(sequence));
      places.add(new Place(at, key, value, row, tags, end));
    }
    return places;
  }

  private static byte[] lie(Lie lie, byte[] good, Place place) {
    int end = good.length - HEADER - HFileBlock.BLOCK_METADATA_SPACE;
    int left = end - place.position() - LENGTHS;
    if (lie == Lie.TRUNCATED) {
      return truncated(good, place.end() - 1);
    }
    if (lie == Lie.SEQUENCE_BEHIND_END) {
      return withLongSequence(good, place);
    }
    byte[] bad = good.clone();
    ByteBuffer block = ByteBuffer.wrap(bad, HEADER, end).slice();
    int at = place.position();
    switch (lie) {
      case NO_KEY -> block.putInt(at, 0);
      case KEY_TOO_SHORT -> block.putInt(at, MIN_KEY - 1);
      case KEY_NEGATIVE -> block.putInt(at, -1);
      case KEY_BEHIND_END -> block.putInt(at, left + 1);
      case KEY_HUGE -> block.putInt(at, Integer.MAX_VALUE);
      case VALUE_NEGATIVE -> block.putInt(at + Integer.BYTES, -1);
      case VALUE_BEHIND_END -> block.putInt(at + Integer.BYTES, left - place.key() + 1);
      case VALUE_HUGE -> block.putInt(at + Integer.BYTES, Integer.MAX_VALUE);
      case ROW_NEGATIVE -> block.putShort(at + LENGTHS, (short) -1);
      case ROW_LONGER_THAN_KEY -> block.putShort(at + LENGTHS, (short) (place.key() - MIN_KEY + 1));
      case ROW_HUGE -> block.putShort(at + LENGTHS, Short.MAX_VALUE);
      case FAMILY_LONGER_THAN_KEY ->
          block.put(place.familyAt(), (byte) (place.key() - place.row() - MIN_KEY + 1));
      case FAMILY_NEGATIVE -> block.put(place.familyAt(), (byte) -1);
      case TAGS_BEHIND_END ->
          block.putShort(place.tagsAt(), (short) (end - place.tagsAt() - Short.BYTES + 1));
      case TAGS_HUGE -> block.putShort(place.tagsAt(), (short) -1);
      default -> throw new IllegalArgumentException(lie.name());
    }
    return bad;
  }

  /** Returns a block that ends with the first of nine bytes of a sequence number. */
  private static byte[] withLongSequence(byte[] good, Place place) {
    byte[] bad = truncated(good, place.sequenceAt() + 1);
    bad[HEADER + place.sequenceAt()] = Byte.MIN_VALUE;
    return bad;
  }

  private static byte[] truncated(byte[] good, int contents) {
    ByteBuffer block = ByteBuffer.allocate(HEADER + contents + HFileBlock.BLOCK_METADATA_SPACE);
    block.put(good, 0, HEADER + contents);
    block.put(good, good.length - HFileBlock.BLOCK_METADATA_SPACE, HFileBlock.BLOCK_METADATA_SPACE);
    return block.putInt(UNCOMPRESSED_SIZE, contents).array();
  }
}
