package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.jupiter.api.Test;

/**
 * A header is parsed as it was written. An invalid number never leads to an access outside of the
 * block.
 */
class BlockHeaderTest {
  private static final long SEED = Long.getLong("zcr.seed", System.nanoTime());
  private static final int DATA = 40_000;
  private static final int CHUNK = 16_384;
  private static final int SIZE = BlockHeader.LENGTH + DATA + 3 * BlockHeader.CHECKSUM_LENGTH;

  private static byte[] header() {
    ByteBuffer header = ByteBuffer.allocate(BlockHeader.LENGTH);
    BlockType.DATA.write(header);
    header.putInt(SIZE - BlockHeader.LENGTH).putInt(DATA).putLong(77);
    header.put(ChecksumType.CRC32C.getCode()).putInt(CHUNK).putInt(DATA + BlockHeader.LENGTH);
    return header.array();
  }

  @Test
  void readsWhatIsWritten() throws Exception {
    BlockHeader header = BlockHeader.of(header());
    assertThat(header)
        .isEqualTo(
            new BlockHeader(
                BlockType.DATA,
                SIZE - BlockHeader.LENGTH,
                DATA,
                77,
                ChecksumType.CRC32C,
                CHUNK,
                DATA + BlockHeader.LENGTH));
    assertThat(header.checksums()).isEqualTo(3);
    assertThat(BlockHeader.sizeIn(header())).isEqualTo(SIZE);
    assertThatCode(() -> header.require(BlockType.DATA, SIZE)).doesNotThrowAnyException();
    assertThatThrownBy(() -> header.require(BlockType.ENCODED_DATA, SIZE))
        .isSameAs(StockRead.MALFORMED.exception());
    assertThatThrownBy(() -> header.require(BlockType.DATA, SIZE + 1))
        .isSameAs(StockRead.MALFORMED.exception());
  }

  @Test
  void tellsOtherBlocks() throws Exception {
    byte[] bytes = header();
    BlockType.LEAF_INDEX.put(bytes, 0);
    assertThatThrownBy(() -> BlockHeader.of(bytes).require(BlockType.DATA, SIZE))
        .isSameAs(StockRead.NOT_DATA.exception());
  }

  @Test
  void aNumberThatIsBelievedLeadsNowhereElse() {
    System.out.println("Replay with -Dzcr.seed=" + SEED);
    Random random = new Random(SEED);
    int accepted = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = header();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        bytes[8 + random.nextInt(BlockHeader.LENGTH - 8)] = (byte) random.nextInt();
      }
      try {
        BlockHeader header = BlockHeader.of(bytes);
        header.require(BlockType.DATA, SIZE);
        accepted++;
        long checksums = (long) header.checksums() * BlockHeader.CHECKSUM_LENGTH;
        assertThat(header.dataSizeWithHeader() + checksums).isEqualTo(SIZE);
        assertThat((header.checksums() - 1L) * header.bytesPerChecksum())
            .isBetween(0L, header.dataSizeWithHeader() - 1L);
      } catch (NotServedException e) {
        assertThat(e.why()).isEqualTo(StockRead.MALFORMED);
      }
    }
    assertThat(accepted).isPositive();
  }
}
