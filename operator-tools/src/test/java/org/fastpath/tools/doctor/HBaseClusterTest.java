package org.fastpath.tools.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

class HBaseClusterTest {
  @Test
  void serversAreKnownWhileTheHMasterInitializes() throws IOException {
    ClusterMetrics metrics =
        ClusterMetricsBuilder.newBuilder()
            .setMasterName(ServerName.valueOf("m", 16000, 1))
            .setMasterInfoPort(16010)
            .setLiveServerMetrics(Map.of())
            .build();
    Admin admin =
        (Admin)
            Proxy.newProxyInstance(
                Admin.class.getClassLoader(),
                new Class<?>[] {Admin.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("getClusterMetrics")) {
                    return metrics;
                  }
                  throw new PleaseHoldException("Master is initializing");
                });
    HBaseCluster cluster = HBaseCluster.of(admin, false);
    assertThat(cluster.targets()).extracting(Target::address).containsExactly("http://m:16010");
    assertThat(cluster.families()).isEmpty();
  }
}
