package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecodedCellTest {
  private static final byte[] ROW = {1, 2, 3};
  private static final byte[] FAMILY = {'f'};
  private static final byte[] VALUE = {7, 8};
  private static final int START = 5;
  private static final long SEQUENCE = 77;

  private final DecodedKeys keys = new DecodedKeys();

  private static KeyValue cell(int qualifier, Tag... tags) {
    KeyValue cell =
        new KeyValue(ROW, FAMILY, new byte[qualifier], 9, KeyValue.Type.Put, VALUE, List.of(tags));
    cell.setSequenceId(SEQUENCE);
    return cell;
  }

  /** Returns a cell as it is decoded from a block whose contents begin with value and tags. */
  private DecodedCell decoded(KeyValue cell) {
    DeltaCell delta = DeltaCell.of(DataBlockEncoding.FAST_DIFF, new CellFormat(true, true, true));
    delta.key = cell.getKey();
    delta.keyLength = cell.getKeyLength();
    delta.value = 0;
    delta.valueLength = cell.getValueLength();
    delta.tags = cell.getValueLength();
    delta.tagsLength = cell.getTagsLength();
    delta.sequence = SEQUENCE;
    ByteBuffer block = ByteBuffer.allocateDirect(START + delta.tags + delta.tagsLength);
    block.put(START, VALUE);
    block.put(START + delta.tags, PrivateCellUtil.cloneTags(cell));
    return DecodedCell.of(delta, keys, block, START);
  }

  private static byte[] written(Written cell, boolean withTags) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThat(cell.write(out, withTags)).isEqualTo(out.size());
    return out.toByteArray();
  }

  private interface Written {
    int write(ByteArrayOutputStream out, boolean withTags) throws IOException;
  }

  /**
   * The lengths are around two limits: the key gets a buffer of its own, and its length exceeds the
   * field.
   */
  @ParameterizedTest
  @CsvSource({"0, 3", "40, 90", "2000, 5", "2100, 1", "2097130, 2", "2097140, 2", "3000000, 4"})
  void isTheCellWhateverItsKeyIs(int qualifier, int times) throws IOException {
    for (int time = 0; time < times; time++) {
      KeyValue cell = cell(qualifier);
      DecodedCell decoded = decoded(cell);
      assertThat(CellComparatorImpl.COMPARATOR.compare(decoded, cell)).isZero();
      assertThat(decoded.getQualifierLength()).isEqualTo(qualifier);
      assertThat(CellUtil.matchingValue(decoded, cell)).isTrue();
      assertThat(decoded.getSequenceId()).isEqualTo(SEQUENCE);
      assertThat(written(decoded::write, true)).isEqualTo(written(cell::write, true));
    }
  }

  @Test
  void tagsAreThereWhereThereAreAny() throws IOException {
    KeyValue cell = cell(3, new ArrayBackedTag((byte) 1, "tag"), new ArrayBackedTag((byte) 2, "x"));
    DecodedCell decoded = decoded(cell);
    assertThat(PrivateCellUtil.cloneTags(decoded)).isEqualTo(PrivateCellUtil.cloneTags(cell));
    assertThat(written(decoded::write, true)).isEqualTo(written(cell::write, true));
    assertThat(written(decoded::write, false)).isEqualTo(written(cell::write, false));
    assertThat(decoded.heapSize()).isEqualTo(decoded(cell(3)).heapSize());
  }
}
