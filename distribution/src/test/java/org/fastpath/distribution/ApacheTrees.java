package org.fastpath.distribution;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fastpath.cluster.DaemonLauncher;
import org.fastpath.cluster.JvmFlags;
import org.fastpath.cluster.NativeLibrary;

/**
 * An HBase and a Hadoop as Apache's archives unpack them: {@code lib}, {@code conf}, {@code
 * share/hadoop}, {@code etc/hadoop}. The jars are those of this JVM's class path. Two short scripts
 * in {@code bin} build the class path from the env file as Apache's own do.
 */
final class ApacheTrees {
  private static final String FOREIGN =
      ".*/(junit|opentest4j|apiguardian|jspecify|assertj|byte-buddy|surefire|picocli|maven-)[^/]*";

  private static final String HBASE_SCRIPT =
      """
      #!/usr/bin/env bash
      export HBASE_HOME=$(cd "$(dirname "$0")/.." && pwd)
      export HBASE_CONF_DIR=$HBASE_HOME/conf
      . "$HBASE_CONF_DIR/hbase-env.sh"
      CLASSPATH=$HBASE_CONF_DIR:$HBASE_HOME
      for jar in "$HBASE_HOME"/lib/*.jar; do
        CLASSPATH=$CLASSPATH:$jar
      done
      CLASSPATH=$CLASSPATH:$TEST_LAUNCHER${HBASE_CLASSPATH:+:$HBASE_CLASSPATH}
      export CLASSPATH=${HBASE_CLASSPATH_PREFIX:+$HBASE_CLASSPATH_PREFIX:}$CLASSPATH
      memory=(${HBASE_HEAPSIZE:+-Xmx$HBASE_HEAPSIZE}
        ${HBASE_OFFHEAPSIZE:+-XX:MaxDirectMemorySize=$HBASE_OFFHEAPSIZE})
      exec "$JAVA_HOME/bin/java" "${memory[@]}" "-Djava.library.path=$HBASE_LIBRARY_PATH" $HBASE_OPTS "$@"
      """;

  private static final String HADOOP_SCRIPT =
      """
      #!/usr/bin/env bash
      export HADOOP_HOME=$(cd "$(dirname "$0")/.." && pwd)
      export HADOOP_CONF_DIR=$HADOOP_HOME/etc/hadoop
      . "$HADOOP_CONF_DIR/hadoop-env.sh"
      CLASSPATH=$HADOOP_CONF_DIR:$HADOOP_HOME/share/hadoop/hdfs
      for directory in common/lib common hdfs/lib hdfs; do
        CLASSPATH=$CLASSPATH:$HADOOP_HOME/share/hadoop/$directory/*
      done
      CLASSPATH=$CLASSPATH:$TEST_LAUNCHER
      user=()
      for entry in $(echo "$HADOOP_CLASSPATH" | tr : '\\n'); do
        user+=("$entry")
      done
      for ((i = ${#user[@]} - 1; i >= 0; i--)); do
        [[ -e ${user[i]} ]] || continue
        if [[ -n $HADOOP_USER_CLASSPATH_FIRST ]]; then
          CLASSPATH=${user[i]}:$CLASSPATH
        else
          CLASSPATH=$CLASSPATH:${user[i]}
        fi
      done
      export CLASSPATH
      exec "$JAVA_HOME/bin/java" ${HADOOP_HEAPSIZE_MAX:+-Xmx$HADOOP_HEAPSIZE_MAX} \\
        "-Djava.library.path=$HADOOP_HOME/lib/native" $HADOOP_OPTS "$@"
      """;

  private final Path hbase;
  private final Path hadoop;
  private final Path data;
  private final Path launcher;
  private final Map<String, Integer> ports = new HashMap<>();
  private final Map<Path, Map<String, String>> more = new HashMap<>();
  private String moreFlags = "";

  /**
   * Lays both out.
   *
   * @param root its path may hold blanks
   * @param data directory for files of daemons; its path is short, for a socket
   */
  ApacheTrees(Path root, Path data) throws IOException {
    this.data = data;
    hbase = root.resolve("hbase 2");
    hadoop = root.resolve("hadoop 3");
    launcher = data.resolve("launcher");
    Files.createDirectories(data);
    layOutJars();
    layOutPages();
    NativeLibrary.extractTo(hadoop.resolve("lib/native"));
    script(hbase.resolve("bin/hbase"), HBASE_SCRIPT);
    script(hadoop.resolve("bin/hadoop"), HADOOP_SCRIPT);
    copyLauncher();
    choosePorts("zookeeper", "namenode", "datanode", "ipc", "master", "regionserver");
    choosePorts("namenode.http", "datanode.http", "master.http", "regionserver.http");
    writeConfiguration();
  }

  Path hbase() {
    return hbase;
  }

  Path hadoop() {
    return hadoop;
  }

  Path launcher() {
    return launcher;
  }

  Path data() {
    return data;
  }

  int port(String name) {
    return ports.get(name);
  }

  private void layOutJars() throws IOException {
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path jar = Path.of(entry);
      if (!entry.endsWith(".jar") || entry.matches(FOREIGN) || isOurs(jar)) {
        continue;
      }
      String name = jar.getFileName().toString();
      link(hbase.resolve("lib").resolve(name), jar);
      if (!name.startsWith("hbase-")) {
        link(hadoop.resolve("share/hadoop").resolve(place(name)).resolve(name), jar);
      }
    }
  }

  /** Jars of Maven's repositories lack the pages that the archives have beside them. */
  private void layOutPages() throws IOException {
    for (String page : List.of("master", "regionserver", "static")) {
      Files.createDirectories(hbase.resolve("hbase-webapps").resolve(page));
    }
    for (String page : List.of("hdfs", "datanode", "static")) {
      Files.createDirectories(hadoop.resolve("share/hadoop/hdfs/webapps").resolve(page));
    }
  }

  private static boolean isOurs(Path jar) {
    return jar.toString().contains("/org/fastpath/") || jar.getParent().endsWith("target");
  }

  private static String place(String name) {
    if (name.startsWith("hadoop-hdfs")) {
      return "hdfs";
    }
    return name.startsWith("hadoop-common") ? "common" : "common/lib";
  }

  private static void link(Path link, Path target) throws IOException {
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, target);
  }

  private static void script(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The class that ends a daemon with this JVM, alone, as the local cluster has it. */
  private void copyLauncher() throws IOException {
    Path directory = launcher.resolve("org/fastpath/cluster");
    Files.createDirectories(directory);
    String name = DaemonLauncher.class.getSimpleName() + ".class";
    try (InputStream in = DaemonLauncher.class.getResourceAsStream(name)) {
      Files.copy(in, directory.resolve(name));
    }
  }

  /** Sockets stay open until all ports are chosen, so that no two are equal. */
  private void choosePorts(String... names) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    for (String name : names) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      sockets.add(socket);
      ports.put(name, socket.getLocalPort());
    }
    for (ServerSocket socket : sockets) {
      socket.close();
    }
  }

  /**
   * Writes the configuration again, with more keys and a flag for the daemons' JVMs.
   *
   * @param moreOfHBase goes into hbase-site.xml
   * @param moreOfHadoop goes into core-site.xml of Hadoop
   */
  void configure(Map<String, String> moreOfHBase, Map<String, String> moreOfHadoop, String flag)
      throws IOException {
    more.put(hbase, moreOfHBase);
    more.put(hadoop, moreOfHadoop);
    moreFlags = " " + flag;
    writeConfiguration();
  }

  private void writeConfiguration() throws IOException {
    String flags = String.join(" ", JvmFlags.forHBase()) + QUICK_START + moreFlags;
    Path conf = hbase.resolve("conf");
    Files.createDirectories(conf);
    // No line end at its end.
    Files.writeString(
        conf.resolve("hbase-env.sh"),
        "export HBASE_HEAPSIZE=512m\nexport HBASE_OPTS=\"" + flags + "\"");
    Files.writeString(conf.resolve("hbase-site.xml"), site(hbaseSite()));
    Path etc = hadoop.resolve("etc/hadoop");
    Files.createDirectories(etc);
    Files.writeString(
        etc.resolve("hadoop-env.sh"),
        "export HADOOP_HEAPSIZE_MAX=256m\nexport HADOOP_OPTS=\"" + flags + "\"\n\n");
    Files.writeString(etc.resolve("core-site.xml"), site(coreSite()).replace("\n", "\r\n"));
    Files.writeString(etc.resolve("hdfs-site.xml"), site(hdfsSite()));
    for (Path log4j : List.of(conf, etc)) {
      Files.writeString(log4j.resolve("log4j.properties"), LOG4J);
      Files.writeString(log4j.resolve("log4j2.properties"), LOG4J2);
    }
  }

  /** Little work at the start, by the compiler and the collector of garbage. */
  private static final String QUICK_START =
      " -Djava.net.preferIPv4Stack=true -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private static final String LOG4J =
      """
      log4j.rootLogger=INFO,console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d %p [%t] %c{1}: %m%n
      """;

  private static final String LOG4J2 =
      """
      rootLogger=INFO,console
      appender.console.type=Console
      appender.console.name=console
      appender.console.layout.type=PatternLayout
      appender.console.layout.pattern=%d %p [%t] %c{1}: %m%n
      """;

  private static String site(Map<String, String> properties) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (name, value) ->
            xml.append("  <property>\n    <name>" + name + "</name>\n")
                .append("    <value>" + value + "</value>\n  </property>\n"));
    return xml.append("</configuration>").toString();
  }

  private Map<String, String> coreSite() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("fs.defaultFS", "hdfs://localhost:" + port("namenode"));
    conf.put("hadoop.tmp.dir", data.resolve("tmp").toString());
    conf.putAll(more.getOrDefault(hadoop, Map.of()));
    return conf;
  }

  private Map<String, String> hdfsSite() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("dfs.replication", "1");
    conf.put("dfs.domain.socket.path", data.resolve("socket").toString());
    conf.put("dfs.namenode.name.dir", names().toUri().toString());
    conf.put("dfs.namenode.rpc-bind-host", "127.0.0.1");
    conf.put("dfs.namenode.http-address", "127.0.0.1:" + port("namenode.http"));
    conf.put("dfs.namenode.safemode.extension", "0");
    conf.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    conf.put("dfs.datanode.data.dir", data.resolve("blocks").toUri().toString());
    conf.put("dfs.datanode.hostname", "localhost");
    conf.put("dfs.datanode.address", "127.0.0.1:" + port("datanode"));
    conf.put("dfs.datanode.ipc.address", "127.0.0.1:" + port("ipc"));
    conf.put("dfs.datanode.http.address", "127.0.0.1:" + port("datanode.http"));
    conf.put("dfs.heartbeat.interval", "1");
    conf.put("ipc.client.connect.retry.interval", "250");
    return conf;
  }

  Path names() {
    return data.resolve("names");
  }

  private Map<String, String> hbaseSite() {
    Map<String, String> conf = new LinkedHashMap<>();
    conf.put("hbase.rootdir", "hdfs://localhost:" + port("namenode") + "/hbase");
    conf.put("hbase.cluster.distributed", "true");
    // The NameNode starts at the same time.
    conf.put("ipc.client.connect.max.retries", "120");
    conf.put("hbase.tmp.dir", data.resolve("hbase-tmp").toString());
    conf.put("hbase.envvars.logging.disabled", "true");
    conf.put("hbase.zookeeper.quorum", "127.0.0.1");
    conf.put("hbase.zookeeper.property.clientPort", Integer.toString(port("zookeeper")));
    conf.put("hbase.zookeeper.property.dataDir", data.resolve("zookeeper").toString());
    conf.put("hbase.zookeeper.property.clientPortAddress", "127.0.0.1");
    conf.put("hbase.master.hostname", "localhost");
    conf.put("hbase.master.ipc.address", "127.0.0.1");
    conf.put("hbase.master.port", Integer.toString(port("master")));
    conf.put("hbase.master.info.bindAddress", "127.0.0.1");
    conf.put("hbase.master.info.port", Integer.toString(port("master.http")));
    conf.put("hbase.master.wait.on.regionservers.maxtostart", "1");
    conf.put("hbase.unsafe.regionserver.hostname", "localhost");
    conf.put("hbase.regionserver.ipc.address", "127.0.0.1");
    conf.put("hbase.regionserver.port", Integer.toString(port("regionserver")));
    conf.put("hbase.regionserver.info.bindAddress", "127.0.0.1");
    conf.put("hbase.regionserver.info.port", Integer.toString(port("regionserver.http")));
    conf.put("hbase.regionserver.msginterval", "1000");
    // A busy machine needs some of it to open the region of the warm-up.
    conf.put("hbase.fastpath.warm-up.seconds", "15");
    // A class of somebody else in a list.
    conf.put(
        "hbase.coprocessor.master.classes", "org.apache.hadoop.hbase.quotas.MasterQuotasObserver");
    conf.putAll(more.getOrDefault(hbase, Map.of()));
    return conf;
  }
}
