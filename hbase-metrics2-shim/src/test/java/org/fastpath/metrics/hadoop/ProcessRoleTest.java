package org.fastpath.metrics.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The role is known by the command line, also where a launcher stands before the main class. */
class ProcessRoleTest {
  @ParameterizedTest
  @CsvSource({
    "org.apache.hadoop.hbase.regionserver.HRegionServer start,REGION_SERVER,'RegionServer,sub=X'",
    "a.Launcher org.apache.hadoop.hbase.regionserver.HRegionServer start,REGION_SERVER,"
        + "'RegionServer,sub=X'",
    "org.apache.hadoop.hbase.master.HMaster start,MASTER,'Master,sub=X'",
    "org.apache.hadoop.hdfs.server.datanode.DataNode,DATA_NODE,X",
    "org.apache.hadoop.hdfs.server.datanode.SecureDataNodeStarter,SECURE_DATA_NODE,X",
    "org.apache.hadoop.hdfs.server.namenode.NameNode,NAME_NODE,X",
    "org.apache.hadoop.hdfs.server.namenode.NameNodeFormatter,CLIENT,X",
    "org.apache.hadoop.hbase.mapreduce.Driver import,CLIENT,X",
    "'',CLIENT,X"
  })
  void ofCommand(String command, ProcessRole role, String name) {
    assertThat(ProcessRole.of(command)).isEqualTo(role);
    assertThat(role.sourceName("X")).isEqualTo(name);
  }
}
