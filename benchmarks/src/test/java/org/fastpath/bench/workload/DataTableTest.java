package org.fastpath.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DataTableTest {
  @Test
  void aShareHasFewerRowsInFewerFiles() {
    DataTable.Shape shape = new DataTable.Shape(1000, 10, 4);

    assertThat(shape.share(0.3)).isEqualTo(new DataTable.Shape(300, 10, 2));
    assertThat(shape.share(0.0001)).isEqualTo(new DataTable.Shape(2, 10, 2));
  }
}
