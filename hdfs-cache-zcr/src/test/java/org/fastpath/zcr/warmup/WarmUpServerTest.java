package org.fastpath.zcr.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;

/** HBase's own RPC server over a region that nobody serves, and a client of it. */
class WarmUpServerTest {
  private static final int ROUNDS = 100;

  private final Configuration conf = HBaseConfiguration.create();

  @Test
  void answersWithTheRowsThatAreAskedFor() throws Exception {
    List<Integer> cells = new ArrayList<>();
    try (WarmUpRegion region = WarmUpRegion.openCached(null, conf);
        WarmUpRegion cached = WarmUpRegion.openCached(null, conf);
        WarmUpServer server =
            new WarmUpServer(List.of(region, cached), null, conf, Duration.ofMinutes(2));
        WarmUpServer.Connection connection = server.connect()) {
      WarmUpClient client = new WarmUpClient(connection.service(), List.of(region, cached), 1);
      for (int i = 0; i < 7 * ROUNDS; i++) {
        cells.add(client.request());
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      List<Integer> asked = cells.subList(7 * round, 7 * round + 7);
      // 50 rows of three columns, a column of each of 50, a row, 25 of 50 rows.
      assertThat(asked.subList(0, 4)).containsExactly(150, 50, 3, 75);
      // 100 rows, or fewer where the table ends; of 100 rows the first column; a row.
      assertThat(asked.get(4)).isBetween(3, 300);
      assertThat(asked.get(5)).isBetween(1, 100);
      assertThat(asked.get(6)).isEqualTo(3);
    }
    assertThat(cells).contains(300, 100);
  }

  @Test
  void leavesNothingBehind() throws Exception {
    Set<String> before = directories();
    try (WarmUpRegion region = WarmUpRegion.openCached(null, conf);
        WarmUpRegion cached = WarmUpRegion.openCached(null, conf);
        WarmUpServer server =
            new WarmUpServer(List.of(region, cached), null, conf, Duration.ofMinutes(2));
        WarmUpServer.Connection connection = server.connect()) {
      assertThat(connection.service()).isNotNull();
      assertThat(directories()).hasSize(before.size() + 2);
      assertThat(DefaultMetricsSystem.instance().getSource("IPC,sub=IPC")).isNotNull();
    }
    assertThat(directories()).isEqualTo(before);
    assertThat(DefaultMetricsSystem.instance().getSource("IPC,sub=IPC")).isNull();
  }

  private static Set<String> directories() {
    String[] names =
        new File(System.getProperty("java.io.tmpdir"))
            .list((directory, name) -> name.startsWith("hbase-fastpath-warm-up"));
    return Set.of(names);
  }
}
