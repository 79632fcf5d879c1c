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
    try (WarmUpRegion region = WarmUpRegion.open(null, conf);
        WarmUpServer server =
            new WarmUpServer(region.region(), null, conf, Duration.ofSeconds(20))) {
      byte[] name = region.region().getRegionInfo().getRegionName();
      WarmUpClient client = new WarmUpClient(server.client(), name, 1);
      for (int i = 0; i < 4 * ROUNDS; i++) {
        cells.add(client.request());
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      // 50 rows of three columns, a column of each of 50, a row.
      assertThat(cells.subList(4 * round, 4 * round + 3)).containsExactly(150, 50, 3);
      // 100 rows, or fewer where the table ends.
      assertThat(cells.get(4 * round + 3)).isBetween(3, 300);
    }
    assertThat(cells).contains(300);
  }

  @Test
  void leavesNothingBehind() throws Exception {
    Set<String> before = directories();
    try (WarmUpRegion region = WarmUpRegion.open(null, conf);
        WarmUpServer server =
            new WarmUpServer(region.region(), null, conf, Duration.ofSeconds(20))) {
      assertThat(server.client()).isNotNull();
      assertThat(directories()).hasSize(before.size() + 1);
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
