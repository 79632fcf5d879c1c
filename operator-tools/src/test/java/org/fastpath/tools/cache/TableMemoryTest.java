package org.fastpath.tools.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableMemoryTest {
  private static final long GB = 1L << 30;
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final TableName LOGS = TableName.valueOf("ops", "logs");

  private FakeJmx server;
  private String pins = "";
  private String cache = "";

  @BeforeEach
  void start() throws IOException {
    server =
        new FakeJmx(
            query -> "{\"beans\": [" + (query.endsWith("=HdfsCacheTables") ? pins : cache) + "]}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void addsUpServersAndTakesLockedBytesOffTheCache() throws IOException {
    pins =
        "{\"tag.namespace\": \"default\", \"tag.table\": \"orders\", \"cachedBytes\": %d}"
            .formatted(2 * GB);
    cache =
        ("{\"tag.namespace\": \"ops\", \"tag.table\": \"logs\", \"cachedBytes\": %d,"
                + " \"tag.namespace.1\": \"default\", \"tag.table.1\": \"orders\","
                + " \"cachedBytes.1\": %d}")
            .formatted(GB, GB / 2);
    TableMemory memory = new TableMemory(2);
    memory.add(FakeJmx.PAGE, server.address());
    memory.add(FakeJmx.PAGE, server.address());
    assertThat(
            cells(
                memory,
                new TableMemory.Files(ORDERS, false, 5 * GB, 5 * GB),
                new TableMemory.Files(LOGS, true, 3 * GB, 12 * GB)))
        .containsExactly(
            "orders, 5 GB, 4 GB, 10 GB, 1 GB, 3 GB",
            "ops:logs, 3 GB, 0 B, 6 GB, 2 GB, 12 GB,"
                + " compressed: only the cache serves its blocks");
  }

  @Test
  void lockedMemoryOfACompressedTableSavesNoCache() throws IOException {
    pins =
        "{\"tag.namespace\": \"ops\", \"tag.table\": \"logs\", \"cachedBytes\": %d}"
            .formatted(3 * GB);
    TableMemory memory = new TableMemory(1);
    memory.add(FakeJmx.PAGE, server.address());
    assertThat(cells(memory, new TableMemory.Files(LOGS, true, 3 * GB, 12 * GB)))
        .singleElement()
        .asString()
        .contains("0 B, 12 GB");
  }

  @Test
  void aServerWithoutTheBeansHasNoMemory() throws IOException {
    TableMemory memory = new TableMemory(3);
    memory.add(FakeJmx.PAGE, server.address());
    assertThat(cells(memory, new TableMemory.Files(ORDERS, false, GB, GB)))
        .containsExactly("orders, 1 GB, 0 B, 3 GB, 0 B, 1 GB");
  }

  @Test
  void aNumberOfReplicasThatPinsRefuseIsRefused() {
    Configuration configuration = new Configuration(false);
    assertThat(LiveCluster.lockedReplicas(configuration)).isEqualTo(3);
    configuration.setInt("hbase.fastpath.hdfs-cache.replication", 0);
    assertThatThrownBy(() -> LiveCluster.lockedReplicas(configuration))
        .hasMessage("hbase.fastpath.hdfs-cache.replication is 0, allowed is 1 to 512");
  }

  /** Returns the lines below the headings, with commas between their cells. */
  private static List<String> cells(TableMemory memory, TableMemory.Files... tables) {
    List<String> lines = memory.lines(List.of(tables));
    return lines.subList(1, lines.size()).stream()
        .map(line -> line.replaceAll(" {2,}", ", "))
        .toList();
  }
}
