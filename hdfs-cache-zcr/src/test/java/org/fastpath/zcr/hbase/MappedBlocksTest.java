package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.FileLink;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.fastpath.cluster.Eventually;
import org.fastpath.offheap.reader.BlockSource;
import org.fastpath.zcr.TestHdfs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads blocks of HFiles on real HDFS. A mapped block equals the block that HBase reads, whatever
 * happens to the mapping. Each slice is released.
 */
class MappedBlocksTest {
  private static final long SEED = Long.getLong("zcr.seed", System.nanoTime());
  private static final int ROWS = 4_000;
  private static final int KEYS = 60;

  /** The new length of a truncated replica, in the middle of a page. */
  private static final int CUT = TestHdfs.BLOCK_BYTES / 2 + 1001;

  private static TestHdfs hdfs;

  private final Random random = new Random(SEED);
  private HFiles files;

  @BeforeAll
  static void start() throws Exception {
    System.out.println("Replay with -Dzcr.seed=" + SEED);
    hdfs = new TestHdfs();
  }

  @AfterAll
  static void stop() throws Exception {
    hdfs.close();
  }

  @BeforeEach
  void open() throws Exception {
    files = new HFiles(hdfs);
  }

  @AfterEach
  void everythingIsGivenBack() throws Exception {
    assertThat(BlockMetrics.live()).isZero();
    assertThat(BlockMetrics.openFiles()).isZero();
    assertThat(TestHdfs.slices()).isZero();
    files.close();
  }

  @Test
  void thisVersionHasWhatIsNeeded() {
    assertThat(BlockSupport.available()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "FAST_DIFF", "ROW_INDEX_V1"})
  void areWhatHBaseReads(DataBlockEncoding encoding) throws Exception {
    Path file = files.write("file-" + encoding, encoding, ROWS, random);
    hdfs.cache(file);
    try (HFile.Reader stock = files.stock(file);
        HFiles.Mapped mapped = files.mapped(file)) {
      long several = BlockMetrics.several();
      int blocks = compareBlocks(stock, mapped);
      assertThat(blocks).isGreaterThan(50);
      assertThat(BlockMetrics.several()).isGreaterThan(several);
      assertThat(compareBlocks(stock, mapped)).isEqualTo(blocks);
      compareScans(stock, mapped);
    }
    hdfs.stock().delete(file, false);
  }

  /** Reads all data blocks with both readers and compares them. */
  private static int compareBlocks(HFile.Reader stock, HFiles.Mapped mapped) throws Exception {
    long served = BlockMetrics.blocks();
    int blocks = 0;
    for (Place place : places(stock)) {
      blocks++;
      HFileBlock theirs = readAsStored(stock, place);
      HFileBlock ours = mapped.block(place.offset());
      requireSameBlock(ours, theirs);
      assertThat(ours.isSharedMem()).isTrue();
      assertThat(ours.isUnpacked()).isTrue();
      assertThat(ours.headerSize()).isEqualTo(theirs.headerSize());
      assertThat(ours.getUncompressedSizeWithoutHeader())
          .isEqualTo(theirs.getUncompressedSizeWithoutHeader());
      assertThat(ours.refCnt()).isEqualTo(1);
      assertThat(TestHdfs.slices()).isPositive();
      ours.retain();
      ours.release();
      assertThat(TestHdfs.slices()).isPositive();
      ours.release();
      assertThat(TestHdfs.slices()).isZero();
      theirs.release();
    }
    assertThat(BlockMetrics.blocks()).isEqualTo(served + blocks);
    return blocks;
  }

  /**
   * Requires equal blocks. The size of the next block may be unknown, because our reader does not
   * read the next HDFS block for it.
   */
  private static void requireSameBlock(HFileBlock ours, HFileBlock theirs) {
    long end = ours.getOffset() + ours.getOnDiskSizeWithHeader();
    long boundary = (end + TestHdfs.BLOCK_BYTES - 1) / TestHdfs.BLOCK_BYTES * TestHdfs.BLOCK_BYTES;
    int next = boundary - end >= BlockHeader.LENGTH ? theirs.getNextBlockOnDiskSize() : -1;
    assertThat(ours.getNextBlockOnDiskSize()).isEqualTo(next);
    assertThat(fields(ours)).isEqualTo(fields(theirs));
    requireSameBytes(ours.getBufferReadOnly(), theirs.getBufferReadOnly());
  }

  private static List<Object> fields(HFileBlock block) {
    return List.of(
        block.getBlockType(),
        block.getOffset(),
        block.getOnDiskSizeWithHeader(),
        block.getUncompressedSizeWithoutHeader(),
        block.getHFileContext().getChecksumType(),
        block.getHFileContext().getBytesPerChecksum(),
        block.getHFileContext().isUseHBaseChecksum());
  }

  private static void requireSameBytes(ByteBuff ours, ByteBuff theirs) {
    assertThat(ByteBuff.compareTo(ours, 0, ours.limit(), theirs, 0, theirs.limit())).isZero();
  }

  private record Place(long offset, long size) {}

  private static List<Place> places(HFile.Reader stock) throws Exception {
    List<Place> places = new ArrayList<>();
    long offset = 0;
    while (offset <= stock.getTrailer().getLastDataBlockOffset()) {
      HFileBlock block = read(stock, offset, -1, null);
      if (block.getBlockType().isData()) {
        places.add(new Place(offset, block.getOnDiskSizeWithHeader()));
      }
      offset += block.getOnDiskSizeWithHeader();
      block.release();
    }
    return places;
  }

  /** Reads a block as it is stored. HBase drops the checksums of a block that it has read. */
  private static HFileBlock readAsStored(HFile.Reader stock, Place place) throws Exception {
    return stock
        .getUncachedBlockReader()
        .readBlockData(place.offset(), place.size(), true, false, true);
  }

  private static HFileBlock read(HFile.Reader reader, long offset, long size, BlockType expected)
      throws Exception {
    return reader.readBlock(
        offset,
        size,
        false,
        true,
        false,
        true,
        expected,
        reader.getEffectiveEncodingInCache(false));
  }

  /** Walks all cells and seeks some, forwards and backwards. */
  private void compareScans(HFile.Reader stock, HFiles.Mapped mapped) throws Exception {
    long served = BlockMetrics.blocks();
    try (HFileScanner theirs = stock.getScanner(files.conf(), false, true);
        HFileScanner ours = mapped.scanner()) {
      assertThat(ours.seekTo()).isEqualTo(theirs.seekTo());
      int cells = 0;
      do {
        requireSameCell(ours, theirs);
        ours.shipped();
        cells++;
      } while (bothNext(ours, theirs));
      assertThat(cells).isEqualTo(ROWS);
      for (int i = 0; i < KEYS; i++) {
        compareSeeks(ours, theirs, HFiles.key(random.nextInt(ROWS)));
      }
    }
    assertThat(BlockMetrics.blocks()).isGreaterThan(served + KEYS);
    assertThat(BlockMetrics.live()).isZero();
  }

  private static void compareSeeks(HFileScanner ours, HFileScanner theirs, Cell key)
      throws Exception {
    assertThat(ours.seekTo(key)).isEqualTo(theirs.seekTo(key));
    requireSameCell(ours, theirs);
    boolean before = theirs.seekBefore(key);
    assertThat(ours.seekBefore(key)).isEqualTo(before);
    for (int i = 0; before && i < 3; i++) {
      requireSameCell(ours, theirs);
      before = bothNext(ours, theirs);
    }
    ours.shipped();
  }

  private static boolean bothNext(HFileScanner ours, HFileScanner theirs) throws Exception {
    boolean next = theirs.next();
    assertThat(ours.next()).isEqualTo(next);
    return next;
  }

  private static void requireSameCell(HFileScanner ours, HFileScanner theirs) {
    assertThat(ours.isSeeked()).isEqualTo(theirs.isSeeked());
    if (theirs.isSeeked()) {
      assertThat(KeyValueUtil.copyToNewKeyValue(ours.getCell()).getBuffer())
          .isEqualTo(KeyValueUtil.copyToNewKeyValue(theirs.getCell()).getBuffer());
    }
  }

  /**
   * A clone of a snapshot has links. The link's file may be moved to the archive while it is open.
   */
  @Test
  void aLinkIsReadFromTheMappingOfItsFile() throws Exception {
    Path file = files.write("linked", DataBlockEncoding.NONE, ROWS / 4, random);
    Path archived = new Path("/archive/linked");
    FileLink link = new FileLink(file, archived);
    hdfs.cache(file);
    try (HFile.Reader stock = files.stock(file);
        HFiles.Mapped mapped = files.mapped(link)) {
      int blocks = compareBlocks(stock, mapped);
      assertThat(hdfs.stock().mkdirs(archived.getParent())).isTrue();
      assertThat(hdfs.stock().rename(file, archived)).isTrue();
      long directive = hdfs.cache(archived);
      try (HFiles.Mapped moved = files.mapped(link)) {
        Eventually.holds(() -> assertThat(served(moved, places(stock))).isEqualTo(blocks));
        assertThat(compareBlocks(stock, moved)).isEqualTo(blocks);
      }
      hdfs.uncache(directive);
    }
    hdfs.stock().delete(archived, false);
  }

  @Test
  void areVerifiedOnceInAMapping() throws Exception {
    Path file = files.write("verified", DataBlockEncoding.NONE, ROWS, random);
    long directive = hdfs.cache(file);
    try (HFile.Reader stock = files.stock(file);
        HFiles.Mapped mapped = files.mapped(file)) {
      long verified = BlockMetrics.verified();
      long remembered = BlockMetrics.remembered();
      int blocks = compareBlocks(stock, mapped);
      assertThat(BlockMetrics.verified()).isEqualTo(verified + blocks);
      assertThat(BlockMetrics.remembered()).isEqualTo(remembered);
      compareBlocks(stock, mapped);
      try (HFiles.Mapped another = files.mapped(file)) {
        compareBlocks(stock, another);
      }
      assertThat(BlockMetrics.verified()).isEqualTo(verified + blocks);
      assertThat(BlockMetrics.remembered()).isEqualTo(remembered + 2 * blocks);
      hdfs.uncache(directive);
      Eventually.holds(() -> assertThat(served(mapped, places(stock))).isZero());
      hdfs.cache(file);
      Eventually.holds(() -> assertThat(served(mapped, places(stock))).isEqualTo(blocks));
      assertThat(BlockMetrics.verified()).isGreaterThanOrEqualTo(verified + 2 * blocks);
    }
    hdfs.stock().delete(file, false);
  }

  /** Reads blocks and returns how many of them were served from mappings. */
  private static long served(HFiles.Mapped mapped, List<Place> places) {
    long served = 0;
    for (Place place : places) {
      HFileBlock block = mapped.block(place.offset());
      if (block != null) {
        block.release();
        served++;
      }
    }
    return served;
  }

  @Test
  void areHBasesWhereNothingIsCachedAndForCompactions() throws Exception {
    Path uncached = files.write("uncached", DataBlockEncoding.NONE, ROWS / 4, random);
    Path cached = files.write("cached", DataBlockEncoding.NONE, ROWS / 4, random);
    hdfs.cache(cached);
    try (HFiles.Mapped mapped = files.mapped(uncached)) {
      List<Place> places = places(mapped.reader());
      long unmapped = BlockMetrics.stockReads(StockRead.UNMAPPED);
      assertThat(served(mapped, places)).isZero();
      assertThat(BlockMetrics.stockReads(StockRead.UNMAPPED)).isEqualTo(unmapped + places.size());
    }
    try (HFiles.Mapped mapped = files.mapped(cached)) {
      long served = BlockMetrics.blocks();
      try (HFileScanner compaction = mapped.scanner(true)) {
        assertThat(compaction.seekTo()).isTrue();
      }
      assertThat(BlockMetrics.blocks()).isEqualTo(served);
      try (HFileScanner scan = mapped.scanner(false)) {
        assertThat(scan.seekTo()).isTrue();
      }
      assertThat(BlockMetrics.blocks()).isEqualTo(served + 1);
    }
  }

  @Test
  void aWrongByteIsForHBaseToJudge() throws Exception {
    Path file = files.write("right", DataBlockEncoding.NONE, ROWS / 4, random);
    List<Place> places;
    try (HFile.Reader stock = files.stock(file)) {
      places = places(stock);
    }
    Place wrong = places.get(random.nextInt(places.size()));
    // The last block of a file may be small.
    int bytes = (int) Math.min(15_000, wrong.size() - BlockHeader.LENGTH);
    long position = wrong.offset() + BlockHeader.LENGTH + random.nextInt(bytes);
    Path copy = files.copyWithError(file, "wrong", position);
    hdfs.cache(copy);
    try (HFile.Reader stock = files.stock(copy);
        HFiles.Mapped mapped = files.mapped(copy)) {
      long mismatches = BlockMetrics.stockReads(StockRead.MISMATCH);
      for (Place place : places) {
        HFileBlock theirs = read(stock, place.offset(), place.size(), BlockType.DATA);
        HFileBlock ours = mapped.block(place.offset());
        assertThat(ours == null).isEqualTo(place.equals(wrong));
        if (ours != null) {
          requireSameBytes(ours.getBufferWithoutHeader(), theirs.getBufferWithoutHeader());
          ours.release();
        }
        theirs.release();
      }
      assertThat(BlockMetrics.stockReads(StockRead.MISMATCH)).isEqualTo(mismatches + 1);
      assertThat(served(mapped, places)).isEqualTo(places.size() - 1);
      // The source knows that the block is wrong and does not verify it again.
      assertThat(BlockMetrics.stockReads(StockRead.MISMATCH)).isEqualTo(mismatches + 1);
    }
  }

  /**
   * HBASE-28065: a read of one block also reads the header of the next one, and a field of that
   * header is wrong. The mapped reader ends a scan where HBase's reader ends it.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 8, 11, 15, 24, 32})
  void aWrongByteInTheNextHeaderIsForHBaseToJudge(int field) throws Exception {
    Path file = files.write("sound-" + field, DataBlockEncoding.NONE, ROWS / 8, random);
    Place next;
    try (HFile.Reader stock = files.stock(file)) {
      next = places(stock).get(3);
    }
    Path copy = files.copyWithError(file, "header-" + field, next.offset() + field);
    hdfs.cache(copy);
    try (HFile.Reader stock = files.stockOfServer(copy);
        HFiles.Mapped mapped = files.mapped(copy)) {
      long served = BlockMetrics.blocks();
      assertThat(scanned(mapped.scanner()))
          .isEqualTo(scanned(stock.getScanner(files.conf(), false, true)));
      assertThat(BlockMetrics.blocks()).isGreaterThan(served);
    }
  }

  /** Returns the keys of a scan, and the exception if one ends it. */
  private static List<String> scanned(HFileScanner opened) {
    List<String> cells = new ArrayList<>();
    try (HFileScanner scanner = opened) {
      boolean more = scanner.seekTo();
      while (more) {
        cells.add(KeyValueUtil.copyToNewKeyValue(scanner.getCell()).toString());
        more = scanner.next();
      }
    } catch (IOException | RuntimeException e) {
      // The off-heap reader reports the place of a wrong length by its own exception type.
      cells.add(e instanceof IOException ? "IOException" : "RuntimeException");
    }
    return cells;
  }

  @Test
  void aTruncatedReplicaIsNoticed() throws Exception {
    Path file = files.write("cut", DataBlockEncoding.NONE, ROWS, random);
    hdfs.cache(file);
    try (HFiles.Mapped mapped = files.mapped(file);
        HFile.Reader stock = files.stock(file)) {
      List<Place> second = new ArrayList<>(places(stock));
      second.removeIf(place -> place.offset() / TestHdfs.BLOCK_BYTES != 1);
      Place first = second.get(0);
      HFileBlock held = mapped.block(first.offset());
      HFileBlock theirs = readAsStored(stock, first);
      assertThat(held).isNotNull();
      truncate(hdfs.replicaOf(hdfs.blocks(file).get(1)));
      long noticed = BlockMetrics.stockReads(StockRead.TRUNCATED);
      for (Place place : second) {
        boolean isLost = place.offset() + place.size() - TestHdfs.BLOCK_BYTES > CUT;
        HFileBlock block = mapped.block(place.offset());
        assertThat(isLost && block != null).isFalse();
        if (block != null) {
          block.release();
        }
      }
      assertThat(BlockMetrics.stockReads(StockRead.TRUNCATED)).isGreaterThan(noticed);
      requireSameBlock(held, theirs);
      held.release();
      theirs.release();
    }
    hdfs.stock().delete(file, false);
  }

  /** Memory may run out between the pin and the creation of the block that owns it. */
  @Test
  void aBlockThatCannotBeMadeGivesItsSliceBack() throws Exception {
    Path file = files.write("unmade", DataBlockEncoding.NONE, ROWS / 8, random);
    hdfs.cache(file);
    try (HFile.Reader reader = files.stock(file);
        HFiles.Mapped mapped = files.mapped(file)) {
      Place place = places(reader).get(1);
      HFileBlock block = mapped.block(place.offset());
      AtomicBoolean failing = new AtomicBoolean();
      // With another context than its blocks', the file would make one of its own.
      HFileContext context = new Failing(block.getHFileContext(), failing);
      block.release();
      BlockSource source = files.source(withContext(mapped.reader(), context));
      source.dataBlock(place.offset(), false).release();
      failing.set(true);
      long served = BlockMetrics.blocks();
      assertThatThrownBy(() -> source.dataBlock(place.offset(), false))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage("injected");
      assertThat(TestHdfs.slices()).isZero();
      assertThat(BlockMetrics.blocks()).isEqualTo(served);
      failing.set(false);
      source.dataBlock(place.offset(), false).release();
      source.close();
    }
  }

  private static final class Failing extends HFileContext {
    private final AtomicBoolean failing;

    Failing(HFileContext context, AtomicBoolean failing) {
      super(context);
      this.failing = failing;
    }

    @Override
    public boolean isUseHBaseChecksum() {
      if (failing.get()) {
        throw new OutOfMemoryError("injected");
      }
      return super.isUseHBaseChecksum();
    }
  }

  private static HFile.Reader withContext(HFile.Reader reader, HFileContext context) {
    return (HFile.Reader)
        Proxy.newProxyInstance(
            HFile.Reader.class.getClassLoader(),
            new Class<?>[] {HFile.Reader.class},
            (proxy, method, arguments) ->
                method.getName().equals("getFileContext")
                    ? context
                    : method.invoke(reader, arguments));
  }

  private static void truncate(java.nio.file.Path replica) throws Exception {
    try (FileChannel channel = FileChannel.open(replica, StandardOpenOption.WRITE)) {
      channel.truncate(CUT);
    }
  }
}
