package org.fastpath.offheap.reader;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.KeyValueScanner;
import org.fastpath.offheap.reader.HFileSamples.Sample;

/**
 * HBase's scanner and ours at the same position of the same file. Each operation is done with both,
 * and all results that a caller can see are compared.
 *
 * <p>HBase's scanner reads blocks on the heap. In these cases it breaks its contract, or the
 * contract does not define the result:
 *
 * <ol>
 *   <li>After a {@code seekTo} that returned -1 there is no position, and neither is after a {@code
 *       seekBefore} that returned false. Both scanners then go to the first cell, as callers do.
 *   <li>The result of {@code reseekTo} to an earlier key is any negative number.
 *   <li>{@code next} of a scanner of encoded blocks without a seek fails in ways that depend on
 *       earlier operations.
 *   <li>{@code getNextIndexedKey} after {@code seekBefore} returns the key of a released block, or
 *       of the current one.
 *   <li>A scanner of ROW_INDEX_V1 that searches the cell before a row returns -2 and is at the
 *       row's first cell. The others return 1 and are at the last cell before the row.
 *   <li>The same scanner may get a {@code seekBefore} a cell in the first row of a block that is
 *       not its first cell. It then goes to the block's first cell and not to the last cell before
 *       the key.
 *   <li>In blocks with a dictionary of tags, the decoder may go back to a cell. That cell then has
 *       the tags of the following one.
 * </ol>
 *
 * <p>Not thread-safe.
 */
final class ScannerPair {
  /** Each cell is compared, and one of this number in every way. */
  private static final int EVERYTHING_EACH = 16;

  /** One of this number of cells is kept, and up to this number of cells. */
  private static final int KEEP_EACH = 5;

  private static final int MAX_KEPT = 50;

  private static final MethodHandle RECORD_BLOCK_SIZE = recordBlockSize();

  private final Sample sample;
  private final HFileScanner stock;
  private final HFileScanner ours;
  private final List<Kept> kept = new ArrayList<>();
  private int compared;

  /** Whether HBase's decoder may have gone back to the current cell. */
  private boolean wentBack;

  private boolean nextIndexedKeyIsDefined = true;

  /** A cell of ours before {@code shipped}, and its bytes when it was kept. */
  private record Kept(ExtendedCell cell, byte[] written) {
    void check() {
      if (!Arrays.equals(CellDifference.written(cell, true), written)) {
        throw new AssertionError(
            "a cell changed before it was shipped, it was of " + written.length);
      }
    }
  }

  ScannerPair(Sample sample, HFileScanner stock, HFileScanner ours) {
    this.sample = sample;
    this.stock = stock;
    this.ours = ours;
  }

  /** Returns the method, or null: HBase 2.5 does not have it. */
  private static MethodHandle recordBlockSize() {
    try {
      return MethodHandles.lookup()
          .findVirtual(
              HFileScanner.class,
              "recordBlockSize",
              MethodType.methodType(void.class, IntConsumer.class));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** Does an operation that does not concern the cache with both. */
  void apply(Operation operation, Cell key) throws IOException {
    switch (operation) {
      case SEEK_TO_FIRST -> seekToFirst();
      case SEEK_TO -> seekTo(key);
      case RESEEK_TO -> reseekTo(key);
      case SEEK_BEFORE -> seekBefore(key);
      case NEXT -> next();
      case KEY -> compareKeys();
      case VALUE -> compareValues();
      case STRINGS -> compareStrings();
      case NEXT_INDEXED_KEY -> compareNextIndexedKeys();
      case BLOCK_SIZE -> compareBlockSizes();
      case SHIPPED -> shipped();
      default -> throw new IllegalArgumentException(operation.name());
    }
  }

  private void seekToFirst() throws IOException {
    wentBack = false;
    compare("seekTo()", stock.seekTo(), ours.seekTo());
    comparePositions();
  }

  private void seekTo(Cell key) throws IOException {
    int theirs = stock.seekTo(key);
    int mine = ours.seekTo(key);
    sought(theirs);
    if (theirs == -1) {
      compare("seekTo", theirs, mine);
      seekToFirst();
    } else {
      nextIndexedKeyIsDefined = true;
      compareSought("seekTo", theirs, mine);
    }
  }

  private void reseekTo(Cell key) throws IOException {
    boolean wasSeeked = stock.isSeeked();
    int theirs = stock.reseekTo(key);
    int mine = ours.reseekTo(key);
    if (wasSeeked && theirs < 0 && mine < 0) {
      comparePositions();
      return;
    }
    sought(theirs);
    compareSought("reseekTo", theirs, mine);
  }

  private void sought(int result) {
    wentBack = result == 1;
  }

  private void compareSought(String what, int theirs, int mine) throws IOException {
    if (isRowIndex() && theirs == HConstants.INDEX_KEY_MAGIC && mine == 1) {
      compare("next() after " + what, true, ours.next());
    } else {
      compare(what, theirs, mine);
    }
    comparePositions();
  }

  private boolean isRowIndex() {
    return sample.shape().encoding() == DataBlockEncoding.ROW_INDEX_V1;
  }

  private void seekBefore(Cell key) throws IOException {
    boolean theirs = stock.seekBefore(key);
    compare("seekBefore", theirs, ours.seekBefore(key));
    if (!theirs) {
      seekToFirst();
      return;
    }
    wentBack = true;
    nextIndexedKeyIsDefined = false;
    if (isRowIndex()) {
      followToLastBefore(key);
    }
    comparePositions();
  }

  /** Moves HBase's scanner to the right cell if ours is there. */
  private void followToLastBefore(Cell key) throws IOException {
    if (CellDifference.ofKeys(sample.lastBefore(key), ours.getCell()) != null) {
      return;
    }
    while (CellDifference.withoutTags(stock.getCell(), ours.getCell()) != null && stock.next()) {
      wentBack = false;
    }
  }

  private void next() throws IOException {
    if (sample.shape().isEncoded() && !stock.isSeeked()) {
      return;
    }
    Outcome<Boolean> theirs = Outcome.of(stock::next);
    compareOutcomes("next", theirs, Outcome.of(ours::next));
    wentBack = false;
    comparePositions();
  }

  private void comparePositions() {
    nextIndexedKeyIsDefined |= stock.getNextIndexedKey() == null;
    compare("isSeeked", stock.isSeeked(), ours.isSeeked());
    ExtendedCell theirs = (ExtendedCell) stock.getCell();
    ExtendedCell mine = (ExtendedCell) ours.getCell();
    report("cell", difference(theirs, mine), theirs, mine);
    if (mine != null && compared % KEEP_EACH == 0) {
      keep(mine);
    }
  }

  private String difference(ExtendedCell theirs, ExtendedCell mine) {
    if (wentBack && sample.shape().hasTagDictionary() && mine != null && sample.contains(mine)) {
      return CellDifference.withoutTags(theirs, mine);
    }
    return ++compared % EVERYTHING_EACH == 0
        ? CellDifference.ofEverything(theirs, mine)
        : CellDifference.of(theirs, mine);
  }

  private void keep(ExtendedCell cell) {
    if (kept.size() == MAX_KEPT) {
      kept.remove(compared % MAX_KEPT).check();
    }
    kept.add(new Kept(cell, CellDifference.written(cell, true)));
  }

  private void compareKeys() {
    Outcome<Cell> theirs = Outcome.of(stock::getKey);
    Outcome<Cell> mine = Outcome.of(ours::getKey);
    compareEnds("getKey", theirs, mine);
    String difference = CellDifference.ofKeys(theirs.value(), mine.value());
    report("key", difference, theirs.value(), mine.value());
  }

  private void compareValues() {
    compareOutcomes("getValue", Outcome.of(stock::getValue), Outcome.of(ours::getValue));
  }

  private void compareStrings() {
    compareOutcomes(
        "getKeyString", Outcome.of(stock::getKeyString), Outcome.of(ours::getKeyString));
    compareOutcomes(
        "getValueString", Outcome.of(stock::getValueString), Outcome.of(ours::getValueString));
  }

  private void compareNextIndexedKeys() {
    if (!nextIndexedKeyIsDefined) {
      return;
    }
    Cell theirs = stock.getNextIndexedKey();
    Cell mine = ours.getNextIndexedKey();
    boolean none = theirs == KeyValueScanner.NO_NEXT_INDEXED_KEY;
    compare("no next indexed key", none, mine == KeyValueScanner.NO_NEXT_INDEXED_KEY);
    if (!none) {
      report("next indexed key", CellDifference.ofKeys(theirs, mine), theirs, mine);
    }
  }

  private void compareBlockSizes() {
    if (RECORD_BLOCK_SIZE != null) {
      compare("recordBlockSize", blockSizes(stock), blockSizes(ours));
    }
  }

  private static List<Integer> blockSizes(HFileScanner scanner) {
    List<Integer> sizes = new ArrayList<>();
    IntConsumer add = sizes::add;
    try {
      RECORD_BLOCK_SIZE.invoke(scanner, add);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    return sizes;
  }

  private void shipped() throws IOException {
    checkKept();
    stock.shipped();
    ours.shipped();
    comparePositions();
  }

  private void checkKept() {
    kept.forEach(Kept::check);
    kept.clear();
  }

  void close() {
    checkKept();
    Outcome<Cell> key = Outcome.of(ours::getKey);
    byte[] before =
        key.returned() ? PrivateCellUtil.getCellKeySerializedAsKeyValueKey(key.value()) : null;
    stock.close();
    ours.close();
    if (before != null
        && !Arrays.equals(before, PrivateCellUtil.getCellKeySerializedAsKeyValueKey(key.value()))) {
      throw new AssertionError("the key changed when the scanner was closed");
    }
  }

  /** Closes both in any state. */
  void abandon() {
    Outcome.of(
        () -> {
          stock.close();
          ours.close();
          return null;
        });
  }

  private static void compareOutcomes(String what, Outcome<?> theirs, Outcome<?> mine) {
    compareEnds(what, theirs, mine);
    compare(what, theirs.value(), mine.value());
  }

  private static void compareEnds(String what, Outcome<?> theirs, Outcome<?> mine) {
    if (!theirs.endedAs(mine)) {
      throw new AssertionError(what + ": stock " + theirs + ", ours " + mine, mine.thrown());
    }
  }

  private static void compare(String what, Object theirs, Object mine) {
    if (!Objects.equals(theirs, mine)) {
      throw new AssertionError(what + ": stock " + theirs + ", ours " + mine);
    }
  }

  private static void report(String what, String difference, Cell theirs, Cell mine) {
    if (difference != null) {
      throw new AssertionError(
          difference + " of the " + what + ": stock " + theirs + ", ours " + mine);
    }
  }
}
