package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder.EncodedSeeker;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cursors of encoded blocks give the results of HBase's seekers on the same blocks. Each test
 * prints its seed; the system property {@code seed} repeats it.
 */
class EncodedBlockCursorTest {
  private static final int BLOCKS = 20;
  private static final int OPERATIONS = 300;
  private static final int CORRUPTIONS = 20;
  private static final byte[] GUARDS = {0, (byte) 0xa5};

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /** A block and its cells. */
  private record Sample(
      EncodedBlocks blocks, RandomCells source, List<KeyValue> cells, byte[] bytes) {
    Cell key() {
      return source.key(cells);
    }
  }

  private Sample sample(DataBlockEncoding encoding) throws IOException {
    boolean tags = random.nextBoolean();
    boolean mvcc = random.nextBoolean();
    EncodedBlocks blocks = new EncodedBlocks(encoding, tags, mvcc);
    RandomCells source = new RandomCells(random, tags, mvcc);
    List<KeyValue> cells = source.next();
    return new Sample(blocks, source, cells, blocks.encode(cells));
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void doesWhatHBasesSeekerDoes(DataBlockEncoding encoding) throws IOException {
    System.out.println("seed=" + seed);
    int indexed = 0;
    for (int i = 0; i < BLOCKS; i++) {
      Sample sample = sample(encoding);
      byte[] index = sample.blocks().index(sample.bytes());
      assertThat(index.length)
          .as("bytes of index")
          .isLessThanOrEqualTo(sample.bytes().length / BlockIndex.SHARE + BlockIndex.HEADER);
      indexed += index.length > 0 ? 1 : 0;
      compare(sample, sample.blocks().onHeap(sample.bytes()));
      compare(sample, sample.blocks().inParts(sample.bytes()));
      compare(sample, sample.blocks().cached(sample.bytes(), index, (byte) 0));
    }
    if (DeltaCell.isDelta(encoding)) {
      assertThat(indexed).as("blocks with an index").isGreaterThan(BLOCKS / 2);
    } else {
      assertThat(indexed).isZero();
    }
  }

  /** Size limits of scans and quotas count the size of a cell. */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void cellsAreAsLargeAsHBases(DataBlockEncoding encoding) throws IOException {
    System.out.println("seed=" + seed);
    for (int i = 0; i < BLOCKS; i++) {
      Sample sample = sample(encoding);
      HFileBlock onHeap = sample.blocks().onHeap(sample.bytes());
      compareSizes(sample, onHeap, sample.blocks().seeker(sample.bytes()));
      HFileBlock direct = sample.blocks().cached(sample.bytes(), new byte[0], (byte) 0);
      compareSizes(sample, direct, sample.blocks().directSeeker(sample.bytes()));
    }
  }

  private void compareSizes(Sample sample, HFileBlock block, EncodedSeeker seeker) {
    BlockCursor cursor = sample.blocks().cursor();
    assertThat(cursor.open(block)).isTrue();
    do {
      assertThat(((ExtendedCell) cursor.cell()).heapSize())
          .as("%s, seed %d", sample.blocks(), seed)
          .isEqualTo(((ExtendedCell) seeker.getCell()).heapSize());
    } while (cursor.next() & seeker.next());
  }

  private void compare(Sample sample, HFileBlock block) throws IOException {
    EncodedSeeker seeker = sample.blocks().seeker(sample.bytes());
    BlockCursor cursor = sample.blocks().cursor();
    assertThat(cursor.open(block)).isTrue();
    assertSame(sample, seeker, cursor);
    for (int i = 0; i < OPERATIONS; i++) {
      String what = step(sample, seeker, cursor);
      assertThat(what).as("%s, seed %d, operation %d", sample.blocks(), seed, i).isNull();
      assertSame(sample, seeker, cursor);
    }
  }

  /** Does one random operation with both. Returns the difference, or null. */
  private String step(Sample sample, EncodedSeeker seeker, BlockCursor cursor) {
    Cell key = sample.key();
    boolean isForward = seeker.compareKey(CellComparatorImpl.COMPARATOR, key) > 0;
    int what = random.nextInt(10);
    if (what < 4) {
      boolean theirs = seeker.next();
      return theirs == cursor.next() ? null : "next " + theirs;
    }
    boolean before = what == 4;
    if (before || !isForward) {
      seeker.rewind();
      cursor.rewind();
    }
    Object theirs = outcome(() -> seeker.seekToKeyInBlock(key, before));
    Object ours = outcome(() -> cursor.seek(key, before));
    return theirs.equals(ours) ? null : "seek to " + key + " " + theirs + ", not " + ours;
  }

  private static Object outcome(Supplier<Integer> seek) {
    try {
      return seek.get();
    } catch (IllegalStateException e) {
      return IllegalStateException.class;
    }
  }

  private void assertSame(Sample sample, EncodedSeeker seeker, BlockCursor cursor)
      throws IOException {
    ExtendedCell theirs = (ExtendedCell) seeker.getCell();
    ExtendedCell ours = (ExtendedCell) cursor.cell();
    boolean same =
        CellComparatorImpl.COMPARATOR.compare(theirs, ours) == 0
            && CellUtil.matchingValue(theirs, ours)
            && theirs.getTypeByte() == ours.getTypeByte()
            && theirs.getSequenceId() == ours.getSequenceId()
            && Arrays.equals(PrivateCellUtil.cloneTags(theirs), PrivateCellUtil.cloneTags(ours));
    assertThat(same).as("%s, seed %d: %s is %s", sample.blocks(), seed, ours, theirs).isTrue();
    if (random.nextInt(16) == 0) {
      assertSameInEachWay(theirs, ours);
      Cell key = sample.key();
      assertThat(CellComparatorImpl.COMPARATOR.compare(seeker.getKey(), cursor.key())).isZero();
      assertThat(cursor.value()).isEqualTo(seeker.getValueShallowCopy());
      assertThat(Integer.signum(cursor.compare(CellComparatorImpl.COMPARATOR, key)))
          .isEqualTo(Integer.signum(seeker.compareKey(CellComparatorImpl.COMPARATOR, key)));
    }
  }

  private static void assertSameInEachWay(ExtendedCell theirs, ExtendedCell ours)
      throws IOException {
    for (boolean withTags : new boolean[] {true, false}) {
      assertThat(written(ours, withTags)).isEqualTo(written(theirs, withTags));
      assertThat(ours.getSerializedSize(withTags)).isEqualTo(theirs.getSerializedSize(withTags));
    }
    KeyValue copy = KeyValueUtil.copyToNewKeyValue(theirs);
    ByteBuffer buffer = ByteBuffer.allocate(ours.getSerializedSize(true));
    ours.write(buffer, 0);
    assertThat(buffer.array()).isEqualTo(copy.getBuffer());
    assertThat(KeyValueUtil.copyToNewKeyValue(ours).getBuffer()).isEqualTo(copy.getBuffer());
    ExtendedCell clone = ours.deepClone();
    assertThat(clone.getSequenceId()).isEqualTo(theirs.getSequenceId());
    assertThat(written(clone, true)).isEqualTo(copy.getBuffer());
    assertThat(arrays(ours)).isEqualTo(arrays(copy));
    assertThat(ours.toString()).isEqualTo(theirs.toString());
    assertThat(ours.heapSize()).isPositive();
  }

  private static byte[] written(ExtendedCell cell, boolean withTags) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(cell.write(out, withTags)).isEqualTo(out.size());
    return out.toByteArray();
  }

  private static byte[][] arrays(Cell cell) {
    return new byte[][] {
      Bytes.copy(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength()),
      Bytes.copy(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength()),
      Bytes.copy(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength()),
      Bytes.copy(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()),
      Bytes.copy(cell.getTagsArray(), cell.getTagsOffset(), cell.getTagsLength())
    };
  }

  /**
   * Reads blocks with wrong bytes between two kinds of memory. If a byte of that memory were read,
   * the results would differ sooner or later.
   */
  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void doesNotReadWhatIsNotInTheBlock(DataBlockEncoding encoding) throws IOException {
    System.out.println("seed=" + seed);
    int complaints = 0;
    for (int i = 0; i < BLOCKS; i++) {
      Sample sample = sample(encoding);
      byte[] index = sample.blocks().index(sample.bytes());
      Cell key = sample.key();
      for (int j = 0; j < CORRUPTIONS; j++) {
        byte[] corrupt = corrupt(sample.bytes());
        Read first = read(sample, sample.blocks().cached(corrupt, index, GUARDS[0]), key);
        Read second = read(sample, sample.blocks().cached(corrupt, index, GUARDS[1]), key);
        assertThat(first).as("%s, seed %d", sample.blocks(), seed).isEqualTo(second);
        complaints += first.corruption().isEmpty() ? 0 : 1;
        sample.blocks().index(corrupt);
      }
    }
    assertThat(complaints).as("complaints").isGreaterThan(BLOCKS);
  }

  /** Changes some bytes behind the encoding's id, or cuts some off. */
  private byte[] corrupt(byte[] bytes) {
    int contents = HConstants.HFILEBLOCK_HEADER_SIZE + DataBlockEncoding.ID_SIZE;
    byte[] corrupt = bytes.clone();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      corrupt[random.nextInt(contents, bytes.length)] = (byte) random.nextInt();
    }
    return random.nextInt(4) > 0
        ? corrupt
        : Arrays.copyOf(corrupt, random.nextInt(contents, bytes.length));
  }

  /** The checksum of everything that was read before an exception, and the exception's message. */
  private record Read(long checksum, int bytes, String corruption) {}

  private static Read read(Sample sample, HFileBlock block, Cell key) throws IOException {
    BlockCursor cursor = sample.blocks().cursor();
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    String corruption = "";
    try {
      cursor.open(block);
      read.write(cursor.seek(key, false));
      do {
        ((ExtendedCell) cursor.cell()).write(read, true);
      } while (cursor.next());
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageContaining("Block offset: 4096, path=/table/region/family/file");
      corruption = e.getMessage();
    }
    CRC32 checksum = new CRC32();
    checksum.update(read.toByteArray());
    return new Read(checksum.getValue(), read.size(), corruption);
  }

  /** The index points to positions at which no cell begins. */
  @ParameterizedTest
  @EnumSource(names = {"PREFIX", "DIFF", "FAST_DIFF"})
  void anIndexOfAnotherFormatIsNotUsed(DataBlockEncoding encoding) throws IOException {
    EncodedBlocks blocks = new EncodedBlocks(encoding, true, true);
    EncodedBlocks others = new EncodedBlocks(encoding, false, true);
    RandomCells source = new RandomCells(new SplittableRandom(1), true, true);
    List<KeyValue> cells = source.next();
    byte[] bytes = blocks.encode(cells);
    byte[] index = others.index(others.encode(cells));
    assertThat(index).as("index").isNotEmpty();
    BlockCursor cursor = blocks.cursor();
    cursor.open(blocks.cached(bytes, index, (byte) 0));
    for (Cell cell : cells) {
      cursor.rewind();
      assertThat(cursor.seek(cell, false)).as("seek to %s", cell).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void saysWhereABlockIsWrong(DataBlockEncoding encoding) {
    EncodedBlocks blocks = new EncodedBlocks(encoding, true, true);
    byte[] empty = new byte[HConstants.HFILEBLOCK_HEADER_SIZE + DataBlockEncoding.ID_SIZE];
    assertThatThrownBy(() -> blocks.cursor().open(blocks.onHeap(empty)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("position")
        .hasMessageContaining("Block offset: 4096, path=/table/region/family/file");
  }
}
