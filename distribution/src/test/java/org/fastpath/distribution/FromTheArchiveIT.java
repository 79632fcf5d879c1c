package org.fastpath.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.fastpath.cluster.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Everything from the release archive alone, on trees laid out as Apache's archives. */
class FromTheArchiveIT {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] VALUE = "value".getBytes(StandardCharsets.UTF_8);

  /** Off until an operator asks for them. */
  private static final Set<String> OFF_UNTIL_ASKED_FOR = Set.of("storage-policies", "inline-reads");

  /** Features that an installation of all modules switches on, by the role of the daemon. */
  private static final Map<String, Set<String>> ON =
      Map.of(
          "regionserver",
          Set.of(
              "cache",
              "offheap-reader",
              "lean-scans",
              "checksum-hadoop",
              "checksum-hbase",
              "zero-copy",
              "mapped-blocks",
              "pinning",
              "read-warm-up",
              "region-metrics",
              "tier-rules",
              "tier-guard"),
          "master",
          Set.of("checksum-hadoop", "mover", "tier-rules"),
          "datanode",
          Set.of("checksum-hadoop", "latency-volumes", "tiered-dataset"),
          "namenode",
          Set.of("storage-policies"));

  private Path root;
  private ApacheTrees trees;
  private Archive archive;

  @BeforeEach
  void layOut() throws IOException, InterruptedException {
    // Short: the path of a socket has at most 108 bytes.
    root = Files.createTempDirectory("fp");
    trees = new ApacheTrees(root.resolve("an install ation"), root.resolve("data"));
    archive = Archive.unpackedIn(root.resolve("down loads"));
  }

  @AfterEach
  void remove() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
    }
  }

  @Test
  void daemonsRunWithEverythingOnAndTheFilesComeBackAsTheyWere() throws Exception {
    Map<String, String> before = snapshot();
    fastpath(
        "install",
        "--yes",
        "--role",
        "regionserver,master,datanode,namenode,client",
        "--cache-size",
        "64m",
        "--locked-memory",
        "4m",
        "--pin-limit",
        "3m");
    assertThat(snapshot()).isNotEqualTo(before);
    try (Daemons daemons = new Daemons(trees)) {
      daemons.start();
      try {
        awaitServers();
        writeAndRead();
        checkFeatures();
        Eventually.holds(this::checkDoctor);
        checkClients();
      } catch (AssertionError | Exception e) {
        System.err.println(daemons.logs());
        throw e;
      }
    }
    fastpath("uninstall", "--yes");
    assertThat(snapshot()).isEqualTo(before);
  }

  private void fastpath(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--hbase", trees.hbase() + "", "--hadoop", trees.hadoop() + ""));
    Commands.Run run = archive.fastpath(Map.of(), all);
    assertThat(run.exit()).as(run.printed()).isZero();
  }

  /** One wait for each step of the start: a busy machine takes long for all of them. */
  private void awaitServers() throws Exception {
    await("datanode.http", "java.lang:type=Runtime", "SpecVendor", "Oracle");
    await("regionserver.http", "java.lang:type=Runtime", "SpecVendor", "Oracle");
    await("master.http", "Hadoop:service=HBase,name=Master,sub=Server", "numRegionServers", "1");
  }

  private void await(String port, String bean, String attribute, String value) throws Exception {
    Eventually.holds(
        () -> {
          try {
            String shown = beans(port, bean).path(0).path(attribute).asText();
            assertThat(shown).as("%s of %s", attribute, port).contains(value);
          } catch (IOException e) {
            throw new AssertionError(port + " does not answer", e);
          }
        });
  }

  private void writeAndRead() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.clientPort", trees.port("zookeeper"));
    TableName name = TableName.valueOf("clicks");
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      try (Table table = connection.getTable(name)) {
        table.put(new Put(VALUE).addColumn(FAMILY, VALUE, VALUE));
        admin.flush(name);
        for (int i = 0; i < 3; i++) {
          assertThat(table.get(new Get(VALUE)).getValue(FAMILY, VALUE)).isEqualTo(VALUE);
        }
      }
    }
  }

  private void checkFeatures() throws Exception {
    eventuallyActive("regionserver.http", "cache", "offheap-reader", "checksum-hbase", "zero-copy");
    eventuallyActive("datanode.http", "checksum-hadoop");
  }

  /** Features that are asked for are on: none has fallen back, none is misconfigured. */
  private void eventuallyActive(String port, String... features) throws Exception {
    Eventually.holds(
        () -> {
          Map<String, String> states = features(port);
          for (String feature : features) {
            assertThat(states.get(feature))
                .as("%s of %s: %s", feature, port, states)
                .isEqualTo("ACTIVE ");
          }
          assertThat(states.values())
              .noneMatch(s -> s.startsWith("MISCONFIGURED"))
              .noneMatch(s -> s.startsWith("FALLEN_BACK"));
        });
  }

  private Map<String, String> features(String port) throws IOException {
    Map<String, String> states = new TreeMap<>();
    for (JsonNode bean : beans(port, "org.fastpath:type=Feature,name=*")) {
      states.put(
          bean.path("Feature").asText(),
          bean.path("State").asText() + " " + bean.path("Reason").asText());
    }
    return states;
  }

  private JsonNode beans(String port, String query) throws IOException {
    URI page = URI.create("http://127.0.0.1:" + trees.port(port) + "/jmx?qry=" + query);
    try (var in = page.toURL().openStream()) {
      return new JsonMapper().readTree(in).path("beans");
    }
  }

  /**
   * The archive's doctor finds nothing wrong: not in the files, not in the jars, not in a daemon.
   */
  private void checkDoctor() throws Exception {
    List<String> command = new ArrayList<>(List.of("doctor", "--json"));
    command.addAll(List.of("--hbase", trees.hbase() + "", "--hadoop", trees.hadoop() + ""));
    // These two list the others.
    for (String role : List.of("master", "namenode")) {
      command.addAll(List.of("--" + role, "127.0.0.1:" + trees.port(role + ".http")));
    }
    Commands.Run run = archive.fastpath(Map.of(), command);
    assertThat(run.exit()).as(run.printed()).isZero();
    JsonNode report =
        new JsonMapper().readTree(run.printed().substring(run.printed().indexOf("{\n")));
    assertThat(report.path("directories")).hasSize(2);
    assertThat(report.path("daemons")).hasSize(ON.size());
    for (JsonNode daemon : report.path("daemons")) {
      Map<String, String> states = new TreeMap<>();
      for (JsonNode feature : daemon.path("features")) {
        states.put(feature.path("feature").asText(), feature.path("state").asText());
      }
      String role = daemon.path("role").asText();
      assertThat(states).as(role).containsKeys(ON.get(role).toArray(String[]::new));
      states.forEach(
          (feature, state) ->
              assertThat(state)
                  .as(role + " " + feature)
                  .isEqualTo(OFF_UNTIL_ASKED_FOR.contains(feature) ? "OFF" : "ACTIVE"));
    }
  }

  /** Commands of the archive that are clients of the cluster. */
  private void checkClients() throws Exception {
    Map<String, String> homes =
        Map.of("HBASE_HOME", trees.hbase() + "", "HADOOP_HOME", trees.hadoop() + "");
    prints(
        homes,
        "localhost:" + trees.port("regionserver"),
        "cache",
        "status",
        "--conf",
        trees.hbase().resolve("conf") + "");
    prints(homes, "DISK", "volumes", "localhost:" + trees.port("datanode.http"), "--times", "1");
    prints(homes, "", "move", "--conf", trees.hadoop().resolve("etc/hadoop") + "", "--status");
    prints(
        homes,
        "hbase.hstore.flusher.count",
        "tiers",
        "advise",
        "--conf",
        trees.hbase().resolve("conf") + "");
  }

  private void prints(Map<String, String> homes, String text, String... command) throws Exception {
    Eventually.holds(
        () -> {
          Commands.Run run = archive.fastpath(homes, List.of(command));
          assertThat(run.exit()).as(run.printed()).isZero();
          assertThat(run.printed()).contains(text);
        });
  }

  /** Each file with its permissions and bytes; of a jar that is a link its target. */
  private Map<String, String> snapshot() throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Path tree : List.of(trees.hbase(), trees.hadoop())) {
      try (Stream<Path> paths = Files.walk(tree)) {
        for (Path path : (Iterable<Path>) paths::iterator) {
          files.put(path.toString(), describe(path));
        }
      }
    }
    return files;
  }

  private static String describe(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return Files.readSymbolicLink(path).toString();
    }
    String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    return Files.isDirectory(path)
        ? permissions
        : permissions + " " + new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
  }
}
