package org.fastpath.tiered.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.tools.StoragePolicyAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.fastpath.cluster.ClusterException;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A NameNode with policies of an operator; clients and DataNodes are stock. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StoragePoliciesLiveTest {
  private static final java.nio.file.Path TESTED = java.nio.file.Path.of("target", "classes");
  private static final Path HOT = new Path("/hot");
  private static final Path DIRECTORY = new Path("/directory");

  private static LocalCluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .hbase(false)
            .volumes("[DISK]", "[SSD]")
            .daemon(Role.NAMENODE, StoragePoliciesLiveTest::withPolicies)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .start();
    fs = (DistributedFileSystem) FileSystem.newInstance(conf());
  }

  private static Configuration conf() {
    Configuration conf = new HdfsConfiguration();
    cluster.clientConfiguration().forEach(conf::set);
    return conf;
  }

  private static void withPolicies(DaemonOptions nameNode) {
    nameNode
        .quickStart()
        .prependToClasspath(TESTED)
        .conf("dfs.fastpath.storage-policies", "FAST,COLDER")
        .conf("dfs.fastpath.storage-policy.FAST.id", "9")
        .conf("dfs.fastpath.storage-policy.FAST.storage-types", "SSD,DISK")
        .conf("dfs.fastpath.storage-policy.COLDER.id", "3")
        .conf("dfs.fastpath.storage-policy.COLDER.storage-types", "ARCHIVE")
        .conf("dfs.fastpath.storage-policy.COLDER.creation-fallbacks", "SSD,DISK");
  }

  @AfterAll
  static void stop() throws IOException {
    try (LocalCluster closing = cluster) {
      fs.close();
    }
  }

  @Test
  @Order(1)
  void theStockCommandListsAndSetsThem() throws Exception {
    assertThat(storagePolicies("-listPolicies"))
        .contains(
            "\tBlockStoragePolicy{FAST:9, storageTypes=[SSD, DISK], creationFallbacks=[],"
                + " replicationFallbacks=[]}",
            "\tBlockStoragePolicy{COLDER:3, storageTypes=[ARCHIVE],"
                + " creationFallbacks=[SSD, DISK], replicationFallbacks=[]}");
    fs.mkdirs(DIRECTORY);
    storagePolicies("-setStoragePolicy", "-path", DIRECTORY.toString(), "-policy", "fast");
    assertThat(fs.getStoragePolicy(DIRECTORY).getName()).isEqualTo("FAST");
  }

  @Test
  @Order(2)
  void filesLandOnTheTypesOfTheirPolicy() throws Exception {
    assertThat(writtenTo(new Path(DIRECTORY, "before"))).containsOnly(StorageType.SSD);
    assertThat(writtenTo(HOT)).containsOnly(StorageType.DISK);
    Path fallback = new Path("/colder");
    fs.mkdirs(fallback);
    fs.setStoragePolicy(fallback, "COLDER");
    assertThat(writtenTo(new Path(fallback, "f"))).containsOnly(StorageType.SSD);
  }

  /** The edit that sets a policy on a file is the one that must find it when it is replayed. */
  @Test
  @Order(3)
  void aRestartedNameNodeKnowsThem() throws Exception {
    fs.setStoragePolicy(HOT, "FAST");
    nameNode().restart();
    awaitNameNode();
    assertThat(fs.getStoragePolicy(HOT).getName()).isEqualTo("FAST");
    assertThat(fs.getStoragePolicy(DIRECTORY).getName()).isEqualTo("FAST");
    assertThat(writtenTo(new Path(DIRECTORY, "after"))).containsOnly(StorageType.SSD);
  }

  @Test
  @Order(4)
  void aWrongDefinitionKeepsTheNameNodeFromStarting() throws Exception {
    assertThatThrownBy(
            () ->
                nameNode()
                    .restart(o -> o.conf("dfs.fastpath.storage-policy.FAST.storage-types", "SDS")))
        .isInstanceOf(ClusterException.class);
    assertThat(Files.readString(nameNode().log()))
        .contains(
            "dfs.fastpath.storage-policy.FAST.storage-types is SDS, allowed is ARCHIVE, DISK,",
            ", SSD, separated by commas");
  }

  private static Daemon nameNode() {
    return cluster.daemon(Role.NAMENODE, 0);
  }

  private static void awaitNameNode() throws Exception {
    Eventually.holds(() -> assertThatCode(() -> fs.getFileStatus(HOT)).doesNotThrowAnyException());
  }

  /** Runs {@code hdfs storagepolicies}. */
  private static List<String> storagePolicies(String... arguments) throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      int exitCode = ToolRunner.run(new StoragePolicyAdmin(conf()), arguments);
      assertThat(exitCode).as(printed.toString(StandardCharsets.UTF_8)).isZero();
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static List<StorageType> writtenTo(Path file) throws Exception {
    try (OutputStream out = fs.create(file)) {
      out.write(new byte[1000]);
    }
    List<StorageType> types = new ArrayList<>();
    Eventually.holds(
        () -> {
          types.clear();
          for (LocatedBlock block :
              fs.getClient().getLocatedBlocks(file.toString(), 0).getLocatedBlocks()) {
            types.addAll(List.of(block.getStorageTypes()));
          }
          assertThat(types).isNotEmpty();
        });
    return types;
  }
}
