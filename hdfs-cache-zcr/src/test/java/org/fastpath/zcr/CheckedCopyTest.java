package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Copies of all small lengths; a zero at the end makes it ask for the file's length. */
class CheckedCopyTest {
  private static final int LENGTH = 100;

  private final FakeReplica replica = new FakeReplica(true, LENGTH);
  private final Mapping mapping = replica.mapping();

  @Test
  void copiesWhatIsThere() {
    for (int i = 0; i < LENGTH; i++) {
      replica.bytes().put(i, (byte) i);
    }
    for (int length = 1; length <= LENGTH - 7; length++) {
      byte[] array = new byte[LENGTH];
      assertThat(CheckedCopy.copy(mapping, 7, array, 5, length)).isTrue();
      ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH).position(2);
      assertThat(CheckedCopy.copy(mapping, 7, buffer, 5, length)).isTrue();
      assertThat(buffer.position()).isEqualTo(2);
      for (int i = 0; i < LENGTH; i++) {
        byte expected = i < 5 || i >= 5 + length ? 0 : (byte) (i + 2);
        assertThat(array[i]).isEqualTo(expected);
        assertThat(buffer.get(i)).isEqualTo(expected);
      }
    }
  }

  @Test
  void asksForTheLengthAtAZero() {
    replica.bytes().put(49, (byte) 0);
    assertThat(CheckedCopy.copy(mapping, 10, new byte[40], 0, 40)).isTrue();
    replica.fileLength = 49;
    assertThat(CheckedCopy.copy(mapping, 10, new byte[40], 0, 40)).isFalse();
    assertThat(CheckedCopy.copy(mapping, 10, ByteBuffer.allocate(40), 0, 40)).isFalse();
    assertThat(CheckedCopy.copy(mapping, 10, new byte[39], 0, 39)).isTrue();
  }
}
