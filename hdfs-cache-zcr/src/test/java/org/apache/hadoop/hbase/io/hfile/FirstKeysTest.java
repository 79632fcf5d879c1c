package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.Test;

class FirstKeysTest {
  private static final byte[] BYTES = {1, 2, 3};

  private final AtomicInteger released = new AtomicInteger();

  @Test
  void aKeyIsACopyAndTheBlockStaysTheScanners() {
    Cell first = new KeyValue(BYTES, BYTES, BYTES, 4711, BYTES);
    Cell key = FirstKeys.copy(() -> first, released::incrementAndGet);
    assertThat(CellComparator.getInstance().compare(key, first)).isZero();
    assertThat(key.getRowArray()).isNotSameAs(first.getRowArray());
    assertThat(released).hasValue(0);
  }

  @Test
  void aBlockWithoutAKeyIsGivenBack() {
    assertThatThrownBy(
            () ->
                FirstKeys.copy(
                    () -> {
                      throw new BufferUnderflowException();
                    },
                    released::incrementAndGet))
        .isInstanceOf(BufferUnderflowException.class);
    assertThat(released).hasValue(1);
  }
}
