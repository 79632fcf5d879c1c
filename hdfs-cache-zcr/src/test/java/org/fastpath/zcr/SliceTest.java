package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the pins of a slice without HDFS. */
class SliceTest {
  private static final int BYTES = 8;

  private final FakeReplica replica = new FakeReplica(true, BYTES);
  private final Mapping mapping = replica.mapping();
  private final Slice slice = slice(2, 5);

  private Slice slice(int offset, int length) {
    ZeroCopyMetrics.sliced(mapping, length);
    return new Slice(mapping, offset, length);
  }

  @AfterEach
  void allIsGivenBack() {
    slice.close();
    assertThat(ZeroCopyMetrics.slices()).isZero();
    assertThat(mapping.pins()).isZero();
  }

  @Test
  void keepsItsBytesUntilItIsClosed() {
    mapping.retire(Retirement.CLOSED);
    replica.requireMapped();
    slice.close();
    assertThat(replica.unmapped).hasValue(1);
  }

  @Test
  void isGivenBackOnce() {
    assertThat(mapping.pin()).isTrue();
    slice.close();
    slice.close();
    assertThat(mapping.pins()).isEqualTo(1);
    mapping.unpin();
  }

  @Test
  void isAPartThatNobodyWritesTo() {
    assertThat(slice.buffer().remaining()).isEqualTo(5);
    assertThat(slice.buffer().isReadOnly()).isTrue();
    assertThat(slice.isVerified()).isTrue();
  }

  @Test
  void isWholeAsLongAsTheFileReachesItsEnd() {
    replica.fileLength = 7;
    assertThat(slice.isWhole()).isTrue();
    replica.fileLength = 6;
    assertThat(slice.isWhole()).isFalse();
  }
}
