package org.fastpath.bench.workloads.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DoubleFileTest {
  /** Sizes below the values' period, above it, and above the size of one write. */
  private static final List<Integer> SIZES = List.of(1 << 10, 100 << 10, (2 << 20) + (3 << 10));

  private static ByteBuffer written(DoubleFile file, List<Long> progress) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    file.write(out, (done, total) -> progress.add(done));
    return ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.nativeOrder());
  }

  @Test
  void whatIsWrittenFollowsFromThePosition() throws IOException {
    for (int size : SIZES) {
      List<Long> progress = new ArrayList<>();
      ByteBuffer bytes = written(new DoubleFile(size), progress);
      assertThat(bytes.capacity()).isEqualTo(size);
      for (int position = 0; position < size; position += Double.BYTES) {
        assertThat(bytes.getDouble(position)).isEqualTo(DoubleFile.valueAt(position));
      }
      assertThat(progress.get(progress.size() - 1)).isEqualTo(size);
    }
    assertThat(DoubleFile.valueAt(0)).isNotEqualTo(DoubleFile.valueAt(64 << 10));
  }

  @ParameterizedTest
  @EnumSource(SumLoop.class)
  void everyLoopSumsUpAllValues(SumLoop loop) throws IOException {
    for (int size : SIZES) {
      DoubleFile file = new DoubleFile(size);
      assertThat(loop.sum(written(file, new ArrayList<>()).asDoubleBuffer())).isEqualTo(file.sum());
    }
    ByteBuffer few = ByteBuffer.allocate(11 * Double.BYTES);
    for (int i = 0; i < 11; i++) {
      few.putDouble(1 << i);
    }
    assertThat(loop.sum(few.flip().asDoubleBuffer())).isEqualTo(2047);
  }

  @Test
  void memoryHoldsWhatTheFileHolds() {
    DoubleFile file = new DoubleFile(10 << 10);
    List<ByteBuffer> pieces = file.inMemory(4 << 10);
    assertThat(pieces).hasSize(3);
    for (int pass = 0; pass < 2; pass++) {
      assertThat(pieces.stream().mapToDouble(one -> SumLoop.PLAIN.sum(one.asDoubleBuffer())).sum())
          .isEqualTo(file.sum());
    }
  }

  @Test
  void aLengthThatNoLoopCanDivideIsRefused() {
    assertThatThrownBy(() -> new DoubleFile(1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000 bytes");
  }
}
