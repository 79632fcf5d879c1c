package org.fastpath.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The configuration of every process of one cluster, as key and value. */
final class ClusterConfiguration {
  private static final String LOOPBACK = "127.0.0.1";

  /**
   * A name, not an address, because hosts are compared: a RegionServer finds its local replicas by
   * the registered name of the DataNode.
   */
  private static final String HOST = "localhost";

  private static final String PLUGINS = "dfs.datanode.plugins";

  private final ClusterBuilder builder;
  private final ClusterLayout layout;
  private final Ports ports;

  ClusterConfiguration(ClusterBuilder builder, ClusterLayout layout, Ports ports) {
    this.builder = builder;
    this.layout = layout;
    this.ports = ports;
  }

  /** Returns the configuration of a client. */
  Map<String, String> client() {
    Map<String, String> conf = shared();
    conf.putAll(builder.conf());
    return conf;
  }

  /** Returns the configuration of a daemon. */
  Map<String, String> daemon(Role role, int index, String name, DaemonOptions options) {
    Map<String, String> conf = shared();
    conf.put("hbase.tmp.dir", layout.tmp().resolve(name).toString());
    switch (role) {
      case ZOOKEEPER -> addZooKeeper(conf);
      case NAMENODE -> addNameNode(conf);
      case DATANODE -> addDataNode(conf, index, name);
      case MASTER -> addMaster(conf);
      case REGIONSERVER -> addRegionServer(conf, name);
    }
    conf.putAll(builder.fastpath().conf(role));
    conf.putAll(builder.conf());
    conf.putAll(options.conf());
    if (role == Role.DATANODE && builder.slowsVolumes()) {
      conf.put(SlowVolumesPlugin.TABLE, layout.devices(name).toString());
      builder
          .pageCache()
          .ifPresent(bytes -> conf.put(SlowVolumesPlugin.PAGE_CACHE, Long.toString(bytes)));
      builder
          .dropLag()
          .ifPresent(bytes -> conf.put(SlowVolumesPlugin.DROP_LAG, Long.toString(bytes)));
      conf.merge(PLUGINS, SlowVolumesPlugin.class.getName(), (others, ours) -> others + "," + ours);
    }
    if (role == Role.DATANODE && !options.libhadoopOr(builder.libhadoop())) {
      // Domain sockets are native code; with a path set and no library a DataNode refuses to start.
      conf.remove("dfs.client.read.shortcircuit");
      conf.remove("dfs.domain.socket.path");
    }
    return conf;
  }

  /** Returns the directories in which a DataNode keeps its blocks. */
  List<Path> volumes(String dataNode) {
    return layout.volumes(dataNode, builder.volumes().size());
  }

  void requireVolume(int index) {
    builder.requireVolume(index);
  }

  /** Returns the devices of the volumes; empty without a model of devices. */
  Optional<VolumeDevices> devices(String dataNode) {
    return builder.slowsVolumes()
        ? Optional.of(
            new VolumeDevices(layout.devices(dataNode), builder.devices(volumes(dataNode))))
        : Optional.empty();
  }

  private Map<String, String> shared() {
    Map<String, String> conf = new LinkedHashMap<>();
    String hdfs = "hdfs://" + HOST + ":" + ports.of("namenode.rpc");
    conf.put("fs.defaultFS", hdfs);
    conf.put("hadoop.tmp.dir", layout.tmp().toString());
    conf.put("dfs.replication", Integer.toString(builder.dataNodes()));
    // All daemons start at once and may be early: retry soon, for the same total time.
    conf.put("ipc.client.connect.retry.interval", "250");
    conf.put("ipc.client.connect.max.retries", "40");
    if (builder.shortCircuit()) {
      conf.put("dfs.client.read.shortcircuit", "true");
      conf.put("dfs.domain.socket.path", layout.domainSocket());
    }
    conf.put("hbase.rootdir", hdfs + "/hbase");
    conf.put("hbase.cluster.distributed", "true");
    // By default the HMaster and the RegionServers abort if one WAL cannot be created, for example
    // while the only DataNode restarts.
    conf.put("hbase.regionserver.logroll.retries", "1000");
    conf.put("hbase.regionserver.logroll.wait.timeout.ms", "120000");
    // By default a DataNode gets no new WAL for six hours after one failed connection or a slow
    // answer. That would exclude the only DataNode, which restarts or is on a busy machine.
    conf.put("hbase.regionserver.async.wal.max.exclude.datanode.count", "0");
    // The environment may contain secrets.
    conf.put("hbase.envvars.logging.disabled", "true");
    conf.put("hbase.zookeeper.quorum", LOOPBACK);
    conf.put("hbase.zookeeper.property.clientPort", Integer.toString(ports.of("zookeeper.client")));
    return conf;
  }

  private void addZooKeeper(Map<String, String> conf) {
    conf.put("hbase.zookeeper.property.dataDir", layout.data("zookeeper").toString());
    conf.put("hbase.zookeeper.property.clientPortAddress", LOOPBACK);
  }

  private void addNameNode(Map<String, String> conf) {
    conf.put("dfs.namenode.name.dir", layout.data("namenode").toUri().toString());
    conf.put("dfs.namenode.rpc-bind-host", LOOPBACK);
    conf.put("dfs.namenode.http-address", address("namenode.http"));
    conf.put("dfs.namenode.safemode.extension", "0");
    conf.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
  }

  private void addDataNode(Map<String, String> conf, int index, String name) {
    List<String> directories = new ArrayList<>();
    List<Path> paths = volumes(name);
    for (int i = 0; i < paths.size(); i++) {
      directories.add(builder.volumes().get(i) + paths.get(i).toUri());
    }
    conf.put("dfs.datanode.data.dir", String.join(",", directories));
    conf.put("dfs.datanode.hostname", HOST);
    conf.put("dfs.datanode.address", address(name + ".data"));
    conf.put("dfs.datanode.ipc.address", address(name + ".ipc"));
    conf.put("dfs.datanode.http.address", address(name + ".http"));
    conf.put("dfs.heartbeat.interval", "1");
  }

  private void addMaster(Map<String, String> conf) {
    conf.put("hbase.master.hostname", HOST);
    conf.put("hbase.master.ipc.address", LOOPBACK);
    conf.put("hbase.master.port", Integer.toString(ports.of("master.rpc")));
    conf.put("hbase.master.info.bindAddress", LOOPBACK);
    conf.put("hbase.master.info.port", Integer.toString(ports.of("master.http")));
    // Continue as soon as all have reported, instead of waiting for more.
    conf.put(
        "hbase.master.wait.on.regionservers.maxtostart", Integer.toString(builder.regionServers()));
  }

  private void addRegionServer(Map<String, String> conf, String name) {
    conf.put("hbase.unsafe.regionserver.hostname", HOST);
    conf.put("hbase.regionserver.ipc.address", LOOPBACK);
    conf.put("hbase.regionserver.port", Integer.toString(ports.of(name + ".rpc")));
    conf.put("hbase.regionserver.info.bindAddress", LOOPBACK);
    // Regions are placed only on servers that have sent a report, the first one after this time.
    conf.put("hbase.regionserver.msginterval", "1000");
    conf.put("hbase.regionserver.info.port", Integer.toString(ports.of(name + ".http")));
  }

  private String address(String port) {
    return LOOPBACK + ":" + ports.of(port);
  }
}
