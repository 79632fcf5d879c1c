package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.fastpath.offheap.cache.ReaderCaches;
import org.fastpath.offheap.reader.MemoryOnly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A region with lean scans answers each call like HBase's own region. Cells, states and progress
 * towards limits are the same, for all requests, also during flushes and compactions. Both regions
 * have the same cells and files, read by the off-heap reader.
 */
class LeanScansTest {
  private static final byte[] FAMILY = LocalRegions.FAMILY;
  private static final byte[] OTHER = Bytes.toBytes("g");
  private static final int ROWS = 60;
  private static final int QUALIFIERS = 5;
  private static final int LARGEST_VALUE = 200;
  private static final int MUTATIONS = 1500;

  /** The operations of each case: mutations, and calls of scanners. All cases have a million. */
  private static final int OPERATIONS =
      Integer.getInteger(
          "fastpath.scan-operations", Boolean.getBoolean("nightly") ? 600_000 : 57_200);

  private static final int VERSIONS = 3;
  private static final int SECONDS_TO_LIVE = 1_000_000;
  private static final long FAR = Long.MAX_VALUE;

  /** Scans begin to stream after so few bytes. */
  private static final int PREAD_BYTES = 2048;

  @TempDir Path directory;
  private LocalRegions regions;
  private CombinedBlockCache cache;
  private int operations;
  private final Map<LeanRegionScanner.Preparation, Integer> preparations =
      new EnumMap<>(LeanRegionScanner.Preparation.class);

  @BeforeEach
  void start() throws IOException {
    regions = new LocalRegions(directory);
    regions.conf().setInt("hbase.storescanner.pread.max.bytes", PREAD_BYTES);
  }

  @AfterEach
  void stop() throws IOException {
    regions.close();
    if (cache != null) {
      assertThat(ReaderCaches.heldBytes(cache)).isZero();
      cache.shutdown();
    }
  }

  /** Sets a cache that overwrites freed blocks. */
  private void cache() {
    regions.conf().set("hbase.fastpath.offheap-cache.size", "16m");
    cache =
        ReaderCaches.create(
            regions.conf(), new LruBlockCache(8 << 20, 8 << 10, regions.conf()), true);
    regions.cache(cache);
  }

  private void evict(HRegion region) {
    for (HStore store : region.getStores()) {
      store.getStorefiles().forEach(file -> cache.evictBlocksByHfileName(file.getPath().getName()));
    }
  }

  /** A kind of table. */
  private enum Kind {
    PLAIN,
    ROW_INDEX,
    COLUMN_FILTERS,
    EXPIRING,
    EXPIRING_BUT_ONE,
    KEEPS_DELETED_CELLS,
    KEEPS_CELLS_DELETED_LATELY,
    NEW_VERSIONS,
    COMPACTED_IN_MEMORY,
    /** Most rows are in one file and one block, so most are plain, also if a filter sees them. */
    ONE_VERSION;

    int mutationsBetweenCompactions() {
      return this == ONE_VERSION ? 60 : 700;
    }

    boolean expires() {
      return this == EXPIRING || this == EXPIRING_BUT_ONE || this == KEEPS_CELLS_DELETED_LATELY;
    }

    ColumnFamilyDescriptor family(byte[] name, DataBlockEncoding encoding) {
      ColumnFamilyDescriptorBuilder family =
          ColumnFamilyDescriptorBuilder.newBuilder(name)
              .setMaxVersions(this == ONE_VERSION ? 1 : VERSIONS)
              .setBlocksize(this == ONE_VERSION ? 8192 : 1024)
              .setDataBlockEncoding(this == ROW_INDEX ? DataBlockEncoding.ROW_INDEX_V1 : encoding)
              .setNewVersionBehavior(this == NEW_VERSIONS);
      if (expires()) {
        family.setTimeToLive(SECONDS_TO_LIVE);
      }
      switch (this) {
        case COLUMN_FILTERS -> family.setBloomFilterType(BloomType.ROWCOL);
        case EXPIRING_BUT_ONE -> family.setMinVersions(1);
        case KEEPS_DELETED_CELLS -> family.setKeepDeletedCells(KeepDeletedCells.TRUE);
        case KEEPS_CELLS_DELETED_LATELY ->
            family.setMinVersions(1).setKeepDeletedCells(KeepDeletedCells.TTL);
        case COMPACTED_IN_MEMORY -> family.setInMemoryCompaction(MemoryCompactionPolicy.BASIC);
        default -> {}
      }
      return family.build();
    }

    TableDescriptor table(String name) {
      return LocalRegions.table(name, family(FAMILY, DataBlockEncoding.NONE))
          .setColumnFamily(family(OTHER, DataBlockEncoding.FAST_DIFF))
          .build();
    }
  }

  private static ColumnFamilyDescriptor family(byte[] name) {
    return Kind.PLAIN.family(name, DataBlockEncoding.NONE);
  }

  private static TableDescriptor table() {
    return Kind.PLAIN.table("t");
  }

  private HRegion lean(TableDescriptor table) throws IOException {
    regions.conf().set(HConstants.REGION_IMPL, OffHeapReadRegion.class.getName());
    return regions.create(table);
  }

  private interface Work {
    void on(HRegion region) throws IOException;
  }

  /** The mode of preparation. */
  private enum ReadAhead {
    /** No row is read ahead. */
    OFF,
    /** All requested rows are in memory and within the bounds. Scans begin to stream. */
    STREAMING,
    /** As before, but scans do not stream. */
    WHOLE,
    /** Some blocks are missing, and bounds are exceeded in the middle of rows. */
    BROKEN,
    /** No row is read ahead. Blocks are evicted, and overwritten when answers are sent. */
    EVICTING
  }

  /** The same region twice, with the same operations. */
  private final class Pairs {
    private final HRegion stock;
    private final HRegion lean;
    private final SplittableRandom random;
    private final ReadAhead readAhead;
    private final Kind kind;

    /** The time of the next cell. No cell expires during the test. */
    private long clock;

    /** Whether the compared scanners have read the same blocks. */
    private boolean exactBlocks;

    Pairs(long seed, Kind kind, ReadAhead readAhead) throws IOException {
      stock = regions.create(kind.table("stock"));
      lean = lean(kind.table("lean"));
      random = new SplittableRandom(seed);
      clock = kind.expires() ? today() - 500L * SECONDS_TO_LIVE : 1000;
      this.kind = kind;
      this.readAhead = readAhead;
    }

    /**
     * Returns a time by which the same operations follow from a seed, see {@link #random(long)}.
     */
    private static long today() {
      long day = 7L * 10_000_000;
      return System.currentTimeMillis() / day * day;
    }

    /**
     * Sometimes reads rows ahead, like an event loop.
     *
     * @return whether a block was missing, so the scanners are opened again
     */
    private boolean prepare(Walk walk) {
      if (readAhead == ReadAhead.OFF
          || readAhead == ReadAhead.EVICTING
          || !(walk.scanner instanceof LeanRegionScanner scanner)
          || random.nextBoolean()) {
        return false;
      }
      boolean broken = readAhead == ReadAhead.BROKEN;
      if (broken && oneIn(4)) {
        evict(lean);
      }
      PreparingContext.Bounds bounds =
          new PreparingContext.Bounds(
              broken ? random.nextInt(30) : 10_000,
              broken ? random.nextInt(6000) : FAR,
              FAR,
              // On a busy machine a second is nothing, and a late preparation breaks a scanner.
              3_600_000);
      MemoryOnly.begin();
      try {
        LeanRegionScanner.Preparation ended = scanner.prepare(1 + random.nextInt(8), bounds);
        exactBlocks &= ended != LeanRegionScanner.Preparation.FAILED;
        preparations.merge(ended, 1, Integer::sum);
        return ended == LeanRegionScanner.Preparation.FAILED;
      } finally {
        MemoryOnly.end();
      }
    }

    private void both(Work work) throws IOException {
      work.on(stock);
      work.on(lean);
    }

    private byte[] row() {
      return LocalRegions.row(random.nextInt(ROWS));
    }

    private byte[] family() {
      return random.nextBoolean() ? FAMILY : OTHER;
    }

    private byte[] qualifier() {
      return Bytes.toBytes("q" + random.nextInt(QUALIFIERS));
    }

    private boolean oneIn(int number) {
      return random.nextInt(number) == 0;
    }

    void mutate() throws IOException {
      operations++;
      byte[] row = row();
      byte[] family = family();
      byte[] qualifier = qualifier();
      long time = oneIn(5) ? clock - 20 : clock++;
      if (kind.expires() && oneIn(4)) {
        time -= 1000L * SECONDS_TO_LIVE;
      }
      write(row, family, qualifier, time);
      if (kind == Kind.COMPACTED_IN_MEMORY && oneIn(50)) {
        both(LeanScansTest::flushInMemory);
      }
      if (oneIn(200)) {
        both(region -> region.flush(true));
      }
      if (oneIn(kind.mutationsBetweenCompactions())) {
        both(region -> region.compact(true));
      }
    }

    private void write(byte[] row, byte[] family, byte[] qualifier, long time) throws IOException {
      if (oneIn(6)) {
        int kind = random.nextInt(4);
        both(
            region -> {
              Delete delete = new Delete(row);
              switch (kind) {
                case 0 -> delete.addFamily(family, time);
                case 1 -> delete.addColumns(family, qualifier, time);
                case 2 -> delete.addColumn(family, qualifier, time - random(time));
                default -> delete.addFamilyVersion(family, time - 1);
              }
              region.delete(delete);
            });
      } else {
        byte[] value = new byte[random.nextInt(LARGEST_VALUE)];
        random.nextBytes(value);
        both(region -> region.put(new Put(row, time).addColumn(family, qualifier, value)));
      }
    }

    /**
     * Returns a value that does not depend on the generator, because this is called once for both
     * regions.
     */
    private long random(long time) {
      return time % 7;
    }

    void compareScan() throws IOException {
      Supplier<Scan> scan = scan();
      try (Walk expected = new Walk(stock, scan.get(), readAhead, kind);
          Walk actual = new Walk(lean, scan.get(), readAhead, kind)) {
        assertThat(expected.scanner).isNotInstanceOf(LeanRegionScanner.class);
        assertThat(actual.scanner)
            .isExactlyInstanceOf(
                scan.get().isReversed() ? LeanReversedScanner.class : LeanRegionScanner.class);
        Limits limits = limits();
        exactBlocks = readAhead != ReadAhead.BROKEN;
        while (true) {
          operations++;
          if (prepare(actual) && readAhead == ReadAhead.STREAMING) {
            // From here on, the scanners begin to stream at different rows.
            return;
          }
          Answer answer = expected.step(limits, exactBlocks);
          Answer other = actual.step(limits, exactBlocks);
          if (!other.equals(answer)) {
            assertThat(other).asString().as("%s", scan.get()).isEqualTo(answer.toString());
          }
          if (!expected.more) {
            return;
          }
          boolean evicting = readAhead == ReadAhead.EVICTING && oneIn(20);
          if (evicting) {
            evict(lean);
          }
          if (evicting || expected.limited || (oneIn(10) && !isAhead(actual))) {
            expected.ship();
            actual.ship();
            limits = limits();
          }
          if (oneIn(60) && !isAhead(actual)) {
            mutate();
            exactBlocks &= readAhead == ReadAhead.OFF;
          }
          if (oneIn(1000) && !isAhead(actual)) {
            exactBlocks &= readAhead == ReadAhead.OFF;
            both(region -> region.flush(true));
          }
        }
      }
    }

    /**
     * Returns whether the scanner has read more than the other one, so it may begin to stream
     * earlier. A compaction now would spare only the other one the cells that it drops.
     */
    private boolean isAhead(Walk walk) {
      return readAhead == ReadAhead.STREAMING
          && walk.scanner.storeHeap instanceof RegionHeap heap
          && heap.peek() != heap.peekToPrepare();
    }

    /** Supplies equal scans; filters have a state, so each scan is new. */
    private Supplier<Scan> scan() {
      boolean reversed = oneIn(10);
      byte[] from = oneIn(3) ? HConstants.EMPTY_START_ROW : row();
      byte[] to = oneIn(3) ? HConstants.EMPTY_END_ROW : row();
      boolean forwards = from.length == 0 || to.length == 0 || Bytes.compareTo(from, to) <= 0;
      byte[] start = forwards != reversed || from.length == 0 || to.length == 0 ? from : to;
      byte[] stop = start == from ? to : from;
      boolean includeStart = random.nextBoolean();
      boolean includeStop = random.nextBoolean();
      int families = random.nextInt(3);
      // A scan of HBase's that names columns of such a table can loop.
      boolean columns = oneIn(3) && kind != Kind.NEW_VERSIONS;
      byte[] first = qualifier();
      byte[] second = qualifier();
      int versions = 1 + random.nextInt(VERSIONS);
      int batch = oneIn(4) ? 1 + random.nextInt(4) : -1;
      int columnLimit = oneIn(8) ? 1 + random.nextInt(3) : -1;
      int offset = oneIn(8) ? random.nextInt(3) : 0;
      boolean raw = !columns && oneIn(12);
      long since = oneIn(6) ? clock - random.nextInt(1000) : 0;
      long before = oneIn(6) ? Math.max(since + 1, clock - random.nextInt(500)) : FAR;
      boolean onDemand = !reversed && random.nextBoolean();
      Scan.ReadType type = Scan.ReadType.values()[random.nextInt(3)];
      Supplier<Filter> filter = filter(reversed);
      boolean wholeRows = filter.get() != null && filter.get().hasFilterRow();
      return () -> {
        Scan scan =
            new Scan()
                .withStartRow(start, includeStart)
                .withStopRow(stop, includeStop)
                .setReversed(reversed)
                .readVersions(versions)
                .setMaxResultsPerColumnFamily(columnLimit)
                .setRowOffsetPerColumnFamily(offset)
                .setRaw(raw)
                .setLoadColumnFamiliesOnDemand(onDemand)
                .setReadType(type);
        try {
          scan.setTimeRange(since, before);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        if (!wholeRows) {
          scan.setBatch(batch);
        }
        if (filter.get() != null) {
          scan.setFilter(new CountingFilter(filter.get()));
        }
        if (columns) {
          scan.addColumn(FAMILY, first).addColumn(FAMILY, second);
        } else if (families > 0) {
          scan.addFamily(families == 1 ? FAMILY : OTHER);
        }
        return scan;
      };
    }

    private Supplier<Filter> filter(boolean reversed) {
      // Rows are not read ahead for filters.
      if (readAhead != ReadAhead.OFF && !oneIn(4)) {
        return () -> null;
      }
      byte[] row = row();
      byte[] qualifier = qualifier();
      byte[] value = {(byte) random.nextInt(256)};
      int seed = random.nextInt();
      int page = 1 + random.nextInt(20);
      boolean missing = random.nextBoolean();
      // A reversed scan uses no fuzzy filter, because HBase's own scan would never advance.
      return switch (random.nextInt(reversed ? 6 : 16)) {
        case 0 -> FirstKeyOnlyFilter::new;
        case 1 -> () -> new ColumnPrefixFilter(qualifier);
        case 2 -> () -> new RowFilter(CompareOperator.GREATER, new BinaryComparator(row));
        case 3 -> () -> new PageFilter(page);
        case 4 ->
            () -> {
              SingleColumnValueFilter filter =
                  new SingleColumnValueFilter(FAMILY, qualifier, CompareOperator.GREATER, value);
              filter.setFilterIfMissing(missing);
              return filter;
            };
        case 5 ->
            () ->
                new FilterList(
                    new RowFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(row)),
                    new FirstKeyOnlyFilter());
        case 6 -> () -> new FuzzyRowFilter(List.of(new Pair<>(row, fuzzy(row.length))));
        case 7 -> () -> new ColumnRangeFilter(qualifier, missing, null, false);
        case 8 -> () -> new ColumnPaginationFilter(2, 1);
        case 9 ->
            () ->
                new WhileMatchFilter(
                    new ValueFilter(CompareOperator.GREATER, new BinaryComparator(value)));
        case 10, 11 -> () -> new AnyAnswerFilter(seed);
        default -> () -> null;
      };
    }

    /** Returns a mask that allows any last digit. */
    private static byte[] fuzzy(int length) {
      byte[] fixed = new byte[length];
      fixed[length - 1] = 1;
      return fixed;
    }

    private Limits limits() {
      if (readAhead != ReadAhead.OFF) {
        // Requests with other limits are not read ahead; a row that is too large breaks a
        // scanner.
        return new Limits(
            LimitScope.BETWEEN_CELLS,
            readAhead == ReadAhead.BROKEN && oneIn(3) ? 1 + random.nextInt(2000) : FAR,
            FAR,
            FAR,
            readAhead == ReadAhead.BROKEN && oneIn(20) ? 1 : FAR,
            true);
      }
      LimitScope scope = oneIn(3) ? LimitScope.BETWEEN_ROWS : LimitScope.BETWEEN_CELLS;
      long bytes = oneIn(3) ? 1 + random.nextInt(2000) : FAR;
      return new Limits(
          scope,
          bytes,
          bytes,
          oneIn(4) ? 1 + random.nextInt(8000) : FAR,
          oneIn(20) ? 1 : FAR,
          !oneIn(4));
    }
  }

  /** The limits of a client's request, as a RegionServer sets them. */
  private record Limits(
      LimitScope scope,
      long dataBytes,
      long heapBytes,
      long blockBytes,
      long deadline,
      boolean timed) {
    ScannerContext context(int batch) {
      ScannerContext.Builder builder =
          ScannerContext.newBuilder(true)
              .setSizeLimit(scope, dataBytes, heapBytes, blockBytes)
              .setBatchLimit(batch)
              .setTrackMetrics(true);
      if (timed) {
        builder.setTimeLimit(scope, deadline);
      }
      return builder.build();
    }
  }

  /** The result of a call and the state after it. Cells are valid until an answer is sent. */
  private record Answer(List<Cell> cells, Cell peeked, List<Object> state) {
    @Override
    public boolean equals(Object object) {
      Answer other = (Answer) object;
      boolean same = state.equals(other.state) && cells.size() == other.cells.size();
      for (int i = 0; same && i < cells.size(); i++) {
        same = isSame(cells.get(i), other.cells.get(i));
      }
      return same && isSame(peeked, other.peeked);
    }

    private static boolean isSame(Cell one, Cell two) {
      return one == two
          || one != null
              && two != null
              && CellUtil.equals(one, two)
              && one.getSequenceId() == two.getSequenceId()
              && CellUtil.matchingValue(one, two);
    }

    @Override
    public int hashCode() {
      return state.hashCode();
    }

    @Override
    public String toString() {
      return Stream.concat(cells.stream(), Stream.ofNullable(peeked))
              .map(cell -> cell + Bytes.toStringBinary(CellUtil.cloneValue(cell)))
              .toList()
          + " "
          + state;
    }
  }

  private static int hash(Cell cell) {
    int row = Arrays.hashCode(CellUtil.cloneRow(cell));
    int column = Arrays.hashCode(CellUtil.cloneQualifier(cell));
    return (row * 31 + column) * 31 + Long.hashCode(cell.getTimestamp());
  }

  /** Passes all calls to another filter, and counts them with their cells and order. */
  private static final class CountingFilter extends FilterBase {
    private final Filter filter;
    private int calls;
    private int hash;

    CountingFilter(Filter filter) {
      this.filter = filter;
    }

    private void called(int call) {
      calls++;
      hash = hash * 31 + call;
    }

    @Override
    public boolean filterAllRemaining() throws IOException {
      called(1);
      return filter.filterAllRemaining();
    }

    @Override
    public ReturnCode filterCell(Cell cell) throws IOException {
      called(hash(cell));
      return filter.filterCell(cell);
    }

    @Override
    public Cell transformCell(Cell cell) throws IOException {
      called(2 + hash(cell));
      return filter.transformCell(cell);
    }

    @Override
    public Cell getNextCellHint(Cell cell) throws IOException {
      called(3 + hash(cell));
      return filter.getNextCellHint(cell);
    }

    @Override
    public boolean filterRowKey(Cell cell) throws IOException {
      called(4 + Arrays.hashCode(CellUtil.cloneRow(cell)));
      return filter.filterRowKey(cell);
    }

    @Override
    public void reset() throws IOException {
      called(5);
      filter.reset();
    }

    @Override
    public boolean hasFilterRow() {
      return filter.hasFilterRow();
    }

    @Override
    public boolean filterRow() throws IOException {
      called(6);
      return filter.filterRow();
    }

    @Override
    public void filterRowCells(List<Cell> cells) throws IOException {
      called(7);
      filter.filterRowCells(cells);
    }

    @Override
    public boolean isFamilyEssential(byte[] family) throws IOException {
      return filter.isFamilyEssential(family);
    }

    @Override
    public void setReversed(boolean reversed) {
      super.setReversed(reversed);
      filter.setReversed(reversed);
    }

    @Override
    public String toString() {
      return calls + " calls of " + filter.getClass().getSimpleName() + ", " + hash;
    }
  }

  /** Gives answers of all kinds, which depend on the cell only. */
  private static final class AnyAnswerFilter extends FilterBase {
    private final KeyOnlyFilter keys = new KeyOnlyFilter();
    private final int seed;

    AnyAnswerFilter(int seed) {
      this.seed = seed;
    }

    private int choose(Cell cell, int choices) {
      return Math.floorMod((hash(cell) ^ seed) * 0x9E3779B9 >>> 7, choices);
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      ReturnCode[] answers = ReturnCode.values();
      int choice = choose(cell, answers.length + 4);
      return choice < answers.length ? answers[choice] : ReturnCode.INCLUDE;
    }

    @Override
    public Cell transformCell(Cell cell) {
      return choose(cell, 3) == 0 ? keys.transformCell(cell) : cell;
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
      byte[] row = CellUtil.cloneRow(cell);
      byte[] family = CellUtil.cloneFamily(cell);
      byte[] column = CellUtil.cloneQualifier(cell);
      // A deletion of a family has no qualifier.
      if (column.length > 0) {
        column[column.length - 1] += 2;
      }
      byte[] later = row.clone();
      later[later.length - 1] += 2;
      return switch (choose(cell, 6)) {
        case 0 -> null;
        case 4 -> KeyValueUtil.createFirstOnRow(later, family, column);
        case 1 -> PrivateCellUtil.createFirstOnRow(row);
        case 2 -> KeyValueUtil.createFirstOnRow(row, family, column);
        case 3 -> PrivateCellUtil.createFirstOnRow(later);
        default -> PrivateCellUtil.createLastOnRow(row);
      };
    }
  }

  /** Runs a scan like a RegionServer, call by call. */
  private static final class Walk implements AutoCloseable {
    private final RegionScannerImpl scanner;
    private final boolean wholeRows;
    private final ReadAhead readAhead;

    /** The scan's filter, or null. */
    private final CountingFilter calls;

    /** Whether it leaves files out whose cells are all too old or too new. */
    private final boolean leavesFilesOut;

    private Limits limits;
    private ScannerContext context;
    private boolean more;
    private boolean limited;

    Walk(HRegion region, Scan scan, ReadAhead readAhead, Kind kind) throws IOException {
      scanner = region.getScanner(scan);
      this.readAhead = readAhead;
      leavesFilesOut = kind.expires() || !scan.getTimeRange().isAllTime();
      wholeRows = scan.hasFilter() && scan.getFilter().hasFilterRow();
      calls = scan.getFilter() instanceof CountingFilter counting ? counting : null;
    }

    Answer step(Limits asked, boolean exactBlocks) throws IOException {
      if (asked != limits) {
        limits = asked;
        context = asked.context(scanner.getBatch());
      }
      if (wholeRows) {
        context.setSizeLimitScope(LimitScope.BETWEEN_ROWS);
        context.setTimeLimitScope(LimitScope.BETWEEN_ROWS);
      }
      context.setBatchProgress(0);
      List<Cell> cells = new ArrayList<>();
      String failure = "";
      try {
        more = scanner.nextRaw(cells, context);
      } catch (IOException | AssertionError e) {
        // HBase's scans of two columns with Bloom filters for columns can go back in a row. Its
        // assertion finds this.
        failure = e.getClass().getName();
        more = false;
      }
      limited =
          context.checkSizeLimit(LimitScope.BETWEEN_ROWS)
              || context.checkTimeLimit(LimitScope.BETWEEN_ROWS);
      if (limits.deadline() != FAR) {
        // Each call of such a request ends before it begins; the next request continues.
        limits = null;
      }
      return new Answer(
          cells,
          peeked(),
          Arrays.asList(
              failure,
              more,
              limited,
              context.scannerState,
              context.getBatchProgress(),
              context.getDataSizeProgress(),
              // The same cell is larger in a block on the heap.
              readAhead == ReadAhead.OFF ? context.getHeapSizeProgress() : 0,
              // A broken scanner reads blocks again, and does not notice a flush between two
              // requests.
              exactBlocks ? context.getBlockSizeProgress() : 0,
              context.getKeepProgress(),
              context.getSkippingRow(),
              calls == null ? "" : calls.toString(),
              context.getMetrics().getMetricsMap(false)));
    }

    /**
     * Returns the last cell that was looked at, or null. Rows that are read ahead do not notice a
     * flush before HBase asks for them. A file without cells of a scan's time is left out then, so
     * another cell of the same row is the first.
     */
    private Cell peeked() {
      Cell last = context.getLastPeekedCell();
      return switch (readAhead) {
        case OFF, EVICTING -> last;
        case WHOLE, STREAMING ->
            last == null || !leavesFilesOut
                ? last
                : PrivateCellUtil.createFirstOnRow(CellUtil.cloneRow(last));
        // A scanner that was opened again at the last row need not read the row after it.
        case BROKEN -> null;
      };
    }

    void ship() throws IOException {
      scanner.shipped();
    }

    @Override
    public void close() {
      scanner.close();
    }
  }

  private void compare(Pairs pairs) throws IOException {
    compare(pairs, OPERATIONS);
  }

  private void compare(Pairs pairs, int most) throws IOException {
    for (int i = 0; i < MUTATIONS; i++) {
      pairs.mutate();
    }
    while (operations < most) {
      pairs.compareScan();
    }
  }

  private static void flushInMemory(HRegion region) {
    for (HStore store : region.getStores()) {
      ((CompactingMemStore) store.memstore).flushInMemory();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Execution(ExecutionMode.CONCURRENT)
  void answerAsHBasesDo(Kind kind) throws IOException {
    regions.cache(new LruBlockCache(8 << 20, 8 << 10, regions.conf()));
    compare(new Pairs(2015 + kind.ordinal(), kind, ReadAhead.OFF));
  }

  /**
   * Files behind the one that has most rows are small. HBase looks at their cells only if it steps
   * over the row's last cells, and does not seek.
   */
  @ParameterizedTest
  @ValueSource(longs = {3, 9, 12})
  @Execution(ExecutionMode.CONCURRENT)
  void answerAsHBasesDoBesideSmallFiles(long seed) throws IOException {
    regions.cache(new LruBlockCache(8 << 20, 8 << 10, regions.conf()));
    compare(new Pairs(seed, Kind.ONE_VERSION, ReadAhead.OFF), OPERATIONS / 8);
  }

  /** Each block is read from its file, which takes longer. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void answerAsHBasesDoWithoutACache() throws IOException {
    compare(new Pairs(2014, Kind.PLAIN, ReadAhead.OFF), OPERATIONS / 8);
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN, STREAMING",
    "PLAIN, WHOLE",
    "EXPIRING, WHOLE",
    "PLAIN, BROKEN",
    "KEEPS_DELETED_CELLS, BROKEN",
    "PLAIN, EVICTING",
    "COLUMN_FILTERS, EVICTING"
  })
  @Execution(ExecutionMode.CONCURRENT)
  void answerAsHBasesDoIfRowsAreReadAhead(Kind kind, ReadAhead readAhead) throws IOException {
    if (readAhead != ReadAhead.STREAMING) {
      // A broken scanner begins to stream later.
      regions.conf().setInt("hbase.storescanner.pread.max.bytes", 1 << 30);
    }
    cache();
    compare(new Pairs(kind.ordinal() + 1, kind, readAhead));
    if (readAhead != ReadAhead.EVICTING) {
      assertThat(preparations).containsKey(LeanRegionScanner.Preparation.DONE);
    }
    if (readAhead == ReadAhead.BROKEN) {
      assertThat(preparations).containsKeys(LeanRegionScanner.Preparation.values());
    }
  }

  /** Puts a cell that fills a block, so that no two cells share one. */
  private static Put large(int row, byte[] family, String column, long time) {
    return new Put(LocalRegions.row(row), time)
        .addColumn(family, Bytes.toBytes(column), new byte[1100]);
  }

  /**
   * Asserts that a scan finds cells, each answer in turn being the one before which all blocks are
   * evicted. They were in the cache until then.
   */
  private void assertFinds(HRegion region, Scan scan, String... expected) throws IOException {
    for (int answer = 0; answer < expected.length; answer++) {
      cells(region, new Scan(), -1);
      assertThat(cells(region, scan, answer)).containsExactly(expected);
    }
  }

  private List<String> cells(HRegion region, Scan scan, int evictingAnswer) throws IOException {
    List<String> found = new ArrayList<>();
    try (RegionScannerImpl scanner = region.getScanner(scan)) {
      ScannerContext context =
          ScannerContext.newBuilder().setBatchLimit(scanner.getBatch()).build();
      boolean more = true;
      for (int answer = 0; more; answer++) {
        List<Cell> cells = new ArrayList<>();
        more = scanner.nextRaw(cells, context);
        cells.forEach(cell -> found.add(CellUtil.getCellKeyAsString(cell)));
        if (answer == evictingAnswer) {
          evict(region);
        }
        scanner.shipped();
        context.setBatchProgress(0);
      }
    }
    return found.stream().map(cell -> cell.replaceAll("/vlen.*", "")).toList();
  }

  /** The older file is behind the newer one, with a key of the newer one's block. */
  @ParameterizedTest
  @EnumSource(names = {"ROW", "ROWCOL"})
  void keysOfDelayedSeeksOutliveTheirBlocks(BloomType filters) throws IOException {
    cache();
    HRegion region =
        lean(
            LocalRegions.table(
                    "t",
                    ColumnFamilyDescriptorBuilder.newBuilder(family(FAMILY))
                        .setBloomFilterType(filters)
                        .build())
                .build());
    region.put(large(1, FAMILY, "a", 10));
    region.put(large(2, FAMILY, "a", 10));
    region.flush(true);
    // Behind older versions, the next column is sought in all files.
    region.put(large(1, FAMILY, "a", 98));
    region.put(large(1, FAMILY, "a", 99));
    region.put(large(1, FAMILY, "a", 100));
    region.put(large(1, FAMILY, "b", 100));
    region.put(large(3, FAMILY, "a", 100));
    region.flush(true);
    Scan scan =
        new Scan()
            .addColumn(FAMILY, Bytes.toBytes("a"))
            .addColumn(FAMILY, Bytes.toBytes("b"))
            .setReadType(Scan.ReadType.PREAD)
            .setBatch(1);
    assertFinds(
        region,
        scan,
        "row-000001/f:a/100/Put",
        "row-000001/f:b/100/Put",
        "row-000002/f:a/10/Put",
        "row-000003/f:a/100/Put");
  }

  @Test
  void rowsOfAReversedScanOutliveTheirBlocks() throws IOException {
    cache();
    HRegion region = lean(table());
    List<String> expected = new ArrayList<>();
    for (int row = 0; row < 6; row++) {
      region.put(large(row, FAMILY, "a", 1));
      if (row % 2 == 1) {
        region.flush(true);
      }
      expected.add(0, "row-00000" + row + "/f:a/1/Put");
    }
    assertFinds(region, new Scan().setReversed(true), expected.toArray(String[]::new));
  }

  @Test
  void rowsOfFamiliesOnDemandOutliveTheirBlocks() throws IOException {
    cache();
    HRegion region = lean(table());
    List<String> expected = new ArrayList<>();
    for (int row = 0; row < 3; row++) {
      expected.add("row-00000" + row + "/f:a/1/Put");
      region.put(large(row, FAMILY, "a", 1));
      for (String column : List.of("a", "b", "c")) {
        expected.add("row-00000" + row + "/g:" + column + "/1/Put");
        region.put(large(row, OTHER, column, 1));
      }
    }
    region.flush(true);
    Filter filter =
        new FilterBase() {
          @Override
          public ReturnCode filterCell(Cell cell) {
            return ReturnCode.INCLUDE;
          }

          @Override
          public boolean isFamilyEssential(byte[] name) {
            return Bytes.equals(name, FAMILY);
          }
        };
    Scan scan = new Scan().setFilter(filter).setBatch(3).setLoadColumnFamiliesOnDemand(true);
    assertFinds(region, scan, expected.toArray(String[]::new));
  }

  @Test
  void familiesWithMobAndOtherEnginesAreHBases() throws IOException {
    HRegion mob =
        lean(
            LocalRegions.table(
                    "mob",
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMobEnabled(true).build())
                .build());
    assertThat(mob.getStore(FAMILY)).isExactlyInstanceOf(HMobStore.class);
    HRegion striped =
        lean(
            LocalRegions.table("striped")
                .setValue(StoreEngine.STORE_ENGINE_CLASS_KEY, StripeStoreEngine.class.getName())
                .build());
    assertThat(striped.getStore(FAMILY)).isExactlyInstanceOf(HStore.class);
  }

  @Test
  void meteredRegionsAreLeanToo() throws IOException {
    regions.conf().set(HConstants.REGION_IMPL, OffHeapReadMeteredRegion.class.getName());
    HRegion region = regions.createWithRows(LocalRegions.table("metered").build(), ROWS);
    assertThat(region.getStore(FAMILY)).isExactlyInstanceOf(LeanStore.class);
    try (RegionScannerImpl scanner = region.getScanner(new Scan())) {
      assertThat(scanner).isExactlyInstanceOf(LeanRegionScanner.class);
    }
  }
}
