package org.fastpath.offheap.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlockFlagsTest {
  private static final int APART =
      BlockFlags.MULTI_PART | BlockFlags.INDEX_APART | BlockFlags.INDEXED;

  @Test
  void aBlockWhoseIndexIsApartIsInOnePiece() {
    // Flags are kept in a byte, whose highest bit is its sign.
    assertThat(BlockFlags.isTogether((byte) APART)).isTrue();
    assertThat(BlockFlags.isTogether(BlockFlags.INDEXED)).isTrue();
    assertThat(BlockFlags.isTogether(BlockFlags.MULTI_PART | BlockFlags.INDEXED)).isFalse();
  }

  @Test
  void anIndexIsStillApartAfterARestart() {
    int restored = BlockFlags.restored((byte) APART, false);
    assertThat(BlockFlags.isTogether(restored)).isTrue();
    assertThat(BlockFlags.has(restored, BlockFlags.MULTI_PART)).isTrue();
    assertThat(BlockFlags.has(restored, BlockFlags.INDEX_APART)).isTrue();
    assertThat(BlockFlags.has(restored, BlockFlags.UNVERIFIED)).isTrue();
  }

  /** The block's place decides, if its record was of another one. */
  @Test
  void aWholeBlockHasItsIndexBehindIt() {
    int restored = BlockFlags.restored((byte) APART, true);
    assertThat(BlockFlags.has(restored, BlockFlags.MULTI_PART)).isFalse();
    assertThat(BlockFlags.has(restored, BlockFlags.INDEX_APART)).isFalse();
    assertThat(BlockFlags.has(restored, BlockFlags.INDEXED)).isTrue();
  }
}
