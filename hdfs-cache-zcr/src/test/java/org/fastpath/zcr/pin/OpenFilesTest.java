package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenFilesTest {
  private static final TableName TABLE = TableName.valueOf("t");

  private final PinMetrics metrics = new PinMetrics();
  private final TablePolicies policies = new TablePolicies(PinPolicy.AUTO, metrics);

  @AfterEach
  void close() {
    metrics.close();
  }

  /** Else its files, which it lets go of before it is offline, would seem to be gone for good. */
  @Test
  void aRegionThatClosesIsNotOpen() {
    assertThat(open(region(1, 0, false, false))).hasSize(1);
    assertThat(open(region(2, 0, true, false))).isEmpty();
    assertThat(open(region(3, 0, false, true))).isEmpty();
  }

  @Test
  void onlyThePrimaryReplicaOfARegionCounts() {
    assertThat(open(region(1, 1, false, false))).isEmpty();
  }

  private Iterable<String> open(Region region) {
    OnlineRegions online = proxy(OnlineRegions.class, Map.of("getRegions", List.of(region)));
    return OpenFiles.of(online, policies).regions();
  }

  private static Region region(long id, int replica, boolean closing, boolean closed) {
    RegionInfo info =
        RegionInfoBuilder.newBuilder(TABLE).setRegionId(id).setReplicaId(replica).build();
    return proxy(
        Region.class,
        Map.of(
            "getRegionInfo", info,
            "getStores", List.of(),
            "isClosing", closing,
            "isClosed", closed));
  }

  private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            OpenFilesTest.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }
}
