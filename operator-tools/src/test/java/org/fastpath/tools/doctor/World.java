package org.fastpath.tools.doctor;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.fastpath.tools.conf.Home;
import org.fastpath.tools.conf.Home.Product;
import org.fastpath.tools.conf.Role;

/**
 * Two installations and three daemons with everything on and nothing wrong, into which a test
 * plants a mistake.
 */
final class World {
  private static final String REGIONS = "org.apache.hadoop.hbase.regionserver.";

  private final Map<String, String> hbase = new LinkedHashMap<>();
  private final Map<String, String> hbaseHdfs = new LinkedHashMap<>();
  private final Map<String, String> hdfs = new LinkedHashMap<>();
  private final List<String> hbaseEnv = new ArrayList<>();
  private final List<String> hadoopEnv = new ArrayList<>();
  private final List<String> appended = new ArrayList<>();
  private final Map<String, String> jars = new LinkedHashMap<>();
  private final Map<String, Map<String, FeatureReport>> features = new LinkedHashMap<>();
  private final Map<String, Map<String, ObjectNode>> beans = new LinkedHashMap<>();
  private final List<DaemonReport> unreachable = new ArrayList<>();
  private final List<StockFamily> families = new ArrayList<>();
  private final List<Problem> unseen = new ArrayList<>();
  private String rawHBase;

  static final String SERVER = "http://rs1:16030";
  static final String OTHER_SERVER = "http://rs2:16030";
  static final String DATANODE = "http://dn1:9864";
  static final String NAMENODE = "http://nn1:9870";

  World() {
    hbase.put("hbase.regionserver.impl", REGIONS + "OffHeapCacheRegionServer");
    hbase.put("hbase.fastpath.offheap-cache.size", "16g");
    hbase.put("hbase.fastpath.offheap-reader.enabled", "true");
    hbase.put("fs.hdfs.impl", "org.fastpath.zcr.ZeroCopyFileSystem");
    hbase.put("dfs.client.read.shortcircuit", "true");
    hbase.put("dfs.domain.socket.path", "/run/dn_socket");
    hbase.put("dfs.client.cache.readahead", "0");
    hbase.put(
        "hbase.coprocessor.user.region.classes",
        "org.fastpath.zcr.hbase.MappedBlocks,org.fastpath.tiered.regionserver.TieredStores");
    hbase.put(
        "hbase.coprocessor.regionserver.classes",
        "org.fastpath.zcr.pin.CachePinning," + "org.fastpath.tiered.regionserver.guard.TierGuard");
    hbase.put("hbase.fastpath.hdfs-cache.limit", "8g");
    hbase.put("hbase.fastpath.tiering.flush", "ALL_SSD");
    hdfs.put("dfs.client.read.shortcircuit", "true");
    hdfs.put("dfs.domain.socket.path", "/run/dn_socket");
    hdfs.put("dfs.datanode.max.locked.memory", "8g");
    hdfs.put("dfs.datanode.data.dir", "[SSD]/s0,[SSD]/s1,/d0,/d1");
    hdfs.put(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        "org.fastpath.tiered.datanode.LatencyAwareVolumeChoosingPolicy");
    hdfs.put("dfs.datanode.fsdataset.factory", "org.fastpath.tiered.datanode.TieredDatasetFactory");
    hbaseEnv.add("export HBASE_CLASSPATH_PREFIX=$HBASE_HOME/fastpath/*");
    hbaseEnv.add("export HBASE_OFFHEAPSIZE=18g");
    hadoopEnv.add("export HADOOP_CLASSPATH=$HADOOP_HOME/fastpath/*");
    hadoopEnv.add("export HADOOP_USER_CLASSPATH_FIRST=true");
    for (String server : List.of(SERVER, OTHER_SERVER)) {
      active(server, "cache", "hbase-offheap-read");
      active(server, "zero-copy", "hdfs-cache-zcr");
    }
    active(DATANODE, "latency-volumes", "hdfs-tiered-volume");
  }

  private void active(String daemon, String feature, String module) {
    feature(daemon, feature, module, "0.2.0", FeatureReport.ACTIVE, "");
  }

  /** Sets a key in hbase-site.xml; null removes it. */
  World hbase(String key, String value) {
    return put(hbase, key, value);
  }

  /** Sets a key in the hdfs-site.xml of HBase's directory. */
  World hdfsOfHBase(String key, String value) {
    return put(hbaseHdfs, key, value);
  }

  /** Sets a key in Hadoop's hdfs-site.xml. */
  World hdfs(String key, String value) {
    return put(hdfs, key, value);
  }

  private World put(Map<String, String> site, String key, String value) {
    site.remove(key);
    if (value != null) {
      site.put(key, value);
    }
    return this;
  }

  /** Adds a second property of a name to hbase-site.xml. */
  World again(String key, String value) {
    appended.add(property(key, value));
    return this;
  }

  /** Writes that instead of hbase-site.xml. */
  World broken(String text) {
    rawHBase = text;
    return this;
  }

  World hbaseEnv(String... lines) {
    hbaseEnv.clear();
    hbaseEnv.addAll(List.of(lines));
    return this;
  }

  World hadoopEnv(String... lines) {
    hadoopEnv.clear();
    hadoopEnv.addAll(List.of(lines));
    return this;
  }

  /** Adds a jar of a module to HBase's lib directory. */
  World jar(String title, String version) {
    jars.put(title, version);
    return this;
  }

  World feature(
      String daemon, String name, String module, String version, String state, String reason) {
    features
        .computeIfAbsent(daemon, d -> new LinkedHashMap<>())
        .put(name, new FeatureReport(name, module, version, state, reason));
    return this;
  }

  World noFeatures(String daemon) {
    features.put(daemon, new LinkedHashMap<>());
    return this;
  }

  World bean(String daemon, String bean, String attribute, Object value) {
    ObjectNode node =
        beans
            .computeIfAbsent(daemon, d -> new LinkedHashMap<>())
            .computeIfAbsent(bean, b -> new JsonMapper().createObjectNode());
    node.set(attribute, new JsonMapper().valueToTree(value));
    return this;
  }

  World failed(String daemon, Throwable why) {
    features.remove(daemon);
    unreachable.add(
        DaemonReport.failed(
            daemon,
            Optional.of(role(daemon)),
            Failures.of(new Target(Optional.of(role(daemon)), daemon), why)));
    return this;
  }

  World family(StockFamily family) {
    families.add(family);
    return this;
  }

  World unseen(Problem problem) {
    unseen.add(problem);
    return this;
  }

  /** Writes all of it below a directory, and reads it as the doctor does. */
  Evidence evidence(Path root, Vocabulary vocabulary) {
    try {
      Path hbaseHome = root.resolve("hbase");
      Path hadoopHome = root.resolve("hadoop");
      writeHBase(hbaseHome);
      writeHadoop(hadoopHome);
      ConfReader reader = new ConfReader();
      reader.home(Home.of(Product.HBASE, hbaseHome, null));
      reader.home(Home.of(Product.HADOOP, hadoopHome, null));
      List<Problem> all = new ArrayList<>(reader.unreadable());
      all.addAll(unseen);
      return new Evidence(vocabulary, reader.directories(), daemons(), families, all);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<DaemonReport> daemons() {
    List<DaemonReport> daemons = new ArrayList<>(unreachable);
    List<String> names = new ArrayList<>(features.keySet());
    beans.keySet().stream().filter(name -> !names.contains(name)).forEach(names::add);
    for (String name : names) {
      daemons.add(
          new DaemonReport(
              name,
              Optional.of(role(name)),
              Optional.empty(),
              List.copyOf(features.getOrDefault(name, Map.of()).values()),
              Map.copyOf(beans.getOrDefault(name, Map.of()))));
    }
    return daemons;
  }

  private static Role role(String daemon) {
    return switch (daemon.substring(7, 9)) {
      case "rs" -> Role.REGIONSERVER;
      case "dn" -> Role.DATANODE;
      default -> Role.NAMENODE;
    };
  }

  private void writeHBase(Path home) throws IOException {
    Path conf = Files.createDirectories(home.resolve("conf"));
    String site = rawHBase == null ? site(hbase, appended) : rawHBase;
    Files.writeString(conf.resolve("hbase-site.xml"), site);
    Files.writeString(conf.resolve("hdfs-site.xml"), site(hbaseHdfs, List.of()));
    Files.write(conf.resolve("hbase-env.sh"), hbaseEnv);
    Path own = Files.createDirectories(home.resolve("fastpath"));
    jar(own, "fastpath-regionserver", "0.2.0", Switch.SERVER.value().orElseThrow());
    jar(own, "hbase-offheap-read", "0.2.0", Switch.CACHE.value().orElseThrow());
    jar(own, "hbase-native-checksum", "0.2.0", "org.apache.hadoop.util.NativeCrc32");
    jar(
        own,
        "hdfs-cache-zcr",
        "0.2.0",
        Switch.ZERO_COPY.value().orElseThrow(),
        Switch.MAPPED_BLOCKS.value().orElseThrow(),
        Switch.PINNING.value().orElseThrow(),
        Switch.CACHED_REPLICA_BALANCER.value().orElseThrow(),
        Switch.CACHED_REPLICA_COST.value().orElseThrow());
    jar(
        own,
        "hbase-metrics2-shim",
        "0.2.0",
        Switch.REGION_METRICS.value().orElseThrow(),
        Switch.REGION_METRICS_OBSERVER.value().orElseThrow());
    jar(
        own,
        "hdfs-tiered-volume",
        "0.2.0",
        Switch.TIER_RULES.value().orElseThrow(),
        Switch.TIER_GUARD.value().orElseThrow());
    Path lib = Files.createDirectories(home.resolve("lib"));
    jar(lib, "hadoop-common", "3.4.2", "org.apache.hadoop.util.NativeCrc32");
    for (Map.Entry<String, String> jar : jars.entrySet()) {
      jar(lib, jar.getKey(), jar.getValue());
    }
  }

  private void writeHadoop(Path home) throws IOException {
    Path conf = Files.createDirectories(home.resolve("etc/hadoop"));
    Files.writeString(conf.resolve("hdfs-site.xml"), site(hdfs, List.of()));
    Files.write(conf.resolve("hadoop-env.sh"), hadoopEnv);
    Path own = Files.createDirectories(home.resolve("fastpath"));
    jar(own, "hbase-native-checksum", "0.2.0", "org.apache.hadoop.util.NativeCrc32");
    jar(
        own,
        "hdfs-tiered-volume",
        "0.2.0",
        Switch.LATENCY_VOLUMES.value().orElseThrow(),
        Switch.TIERED_DATASET.value().orElseThrow());
    Path lib = Files.createDirectories(home.resolve("share/hadoop/common"));
    jar(lib, "hadoop-common", "3.4.2", "org.apache.hadoop.util.NativeCrc32");
  }

  private static String site(Map<String, String> properties, List<String> more) {
    StringBuilder xml = new StringBuilder("<configuration>\n");
    properties.forEach((key, value) -> xml.append(property(key, value)));
    more.forEach(xml::append);
    return xml.append("</configuration>\n").toString();
  }

  private static String property(String key, String value) {
    return "<property><name>" + key + "</name><value>" + value + "</value></property>\n";
  }

  private static void jar(Path directory, String title, String version, String... classes)
      throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.IMPLEMENTATION_TITLE, title);
    main.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    Path file = directory.resolve(title + "-" + version + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      for (String name : classes) {
        out.putNextEntry(new JarEntry(name.replace('.', '/') + ".class"));
      }
    }
  }
}
