package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.crypto.key.KeyProviderFactory;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.net.unix.DomainSocket;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.FederationRouter;
import org.fastpath.zcr.ZeroCopyFileSystem;
import org.fastpath.zcr.ZeroCopyInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pins and mapped reads with encryption zones, erasure coding, viewfs and a NameNode that does not
 * cache: each works or is left alone. The table is in {@code docs/operate/clusters.md}.
 */
class HdfsKindsTest {
  private static final int BYTES = 100_000;
  private static final long LEASE_MILLIS = 600_000;

  @TempDir static Path directory;

  private static final Configuration CONF = MiniHdfs.conf();
  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    DomainSocket.disableBindPathValidation();
    String keys = "jceks://file" + directory.resolve("keys.jceks");
    CONF.set("hadoop.security.key.provider.path", keys);
    CONF.set("dfs.domain.socket.path", directory.resolve("dn._PORT").toString());
    CONF.setBoolean("dfs.client.read.shortcircuit", true);
    CONF.set("dfs.client.context", "kinds");
    CONF.set("fs.hdfs.impl", ZeroCopyFileSystem.class.getName());
    CONF.set("dfs.fastpath.zcr.map-uncached", "true");
    CONF.set("dfs.client.read.shortcircuit.skip.checksum", "true");
    CONF.set(PinOptions.LIMIT, "32m");
    CONF.set(PinOptions.REPLICATION, "1");
    createKey(keys);
    cluster = MiniHdfs.builder(CONF, directory.resolve("hdfs")).numDataNodes(3).build();
    fs = cluster.getFileSystem();
  }

  private static void createKey(String keys) throws Exception {
    KeyProvider provider = KeyProviderFactory.get(URI.create(keys), CONF);
    provider.createKey(
        "key", KeyProvider.options(CONF).setBitLength(128).setCipher("AES/CTR/NoPadding"));
    provider.flush();
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      fs.close();
      cluster.shutdown();
    }
  }

  private static byte[] bytes() {
    byte[] bytes = new byte[BYTES];
    Arrays.setAll(new int[BYTES], i -> bytes[i] = (byte) (i * 31));
    return bytes;
  }

  private static org.apache.hadoop.fs.Path write(String name) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
    try (OutputStream out = fs.create(path)) {
      out.write(bytes());
    }
    return path;
  }

  private static void readsRight(FSDataInputStream in) throws IOException {
    byte[] read = new byte[BYTES];
    in.readFully(0, read);
    assertThat(read).isEqualTo(bytes());
  }

  private static CacheDirectives directives() {
    return new CacheDirectives(fs, new org.apache.hadoop.fs.Path("/hbase"), PinOptions.of(CONF));
  }

  @Test
  void aFileInAnEncryptionZoneIsPinnedAndReadTheStockWay() throws Exception {
    org.apache.hadoop.fs.Path zone = new org.apache.hadoop.fs.Path("/hbase/zone");
    fs.mkdirs(zone);
    new HdfsAdmin(cluster.getURI(), CONF)
        .createEncryptionZone(zone, "key", EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    org.apache.hadoop.fs.Path file = write("/hbase/zone/file");
    try (FSDataInputStream in = fs.open(file)) {
      assertThat(in).isNotInstanceOf(ZeroCopyInputStream.class);
      assertThat(OpenFile.isErasureCoded(in)).isFalse();
      readsRight(in);
    }
    CacheDirectives directives = directives();
    directives.state();
    directives.pin(file.toString(), LEASE_MILLIS);
    Eventually.holds(
        () ->
            assertThat(directives.directives().get(file.toString()).cachedBytes())
                .isEqualTo(BYTES));
  }

  @Test
  void anErasureCodedFileIsNoticedAndReadTheStockWay() throws Exception {
    org.apache.hadoop.fs.Path striped = new org.apache.hadoop.fs.Path("/hbase/striped");
    fs.mkdirs(striped);
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(striped, "XOR-2-1-1024k");
    try (FSDataInputStream in = fs.open(write("/hbase/striped/file"))) {
      assertThat(in).isNotInstanceOf(ZeroCopyInputStream.class);
      assertThat(OpenFile.isErasureCoded(in)).isTrue();
      readsRight(in);
    }
    try (FSDataInputStream in = fs.open(write("/hbase/plain"))) {
      assertThat(in).isInstanceOf(ZeroCopyInputStream.class);
      assertThat(OpenFile.isErasureCoded(in)).isFalse();
      readsRight(in);
    }
  }

  /** The three DataNodes of this cluster have one host, and a domain socket each. */
  @Test
  void allDataNodesOfAHostLockTheirReplicas() throws Exception {
    org.apache.hadoop.fs.Path file = write("/hbase/thrice");
    fs.setReplication(file, (short) 3);
    Configuration conf = new Configuration(CONF);
    conf.set(PinOptions.REPLICATION, "3");
    CacheDirectives directives =
        new CacheDirectives(fs, new org.apache.hadoop.fs.Path("/hbase"), PinOptions.of(conf));
    directives.state();
    directives.pin(file.toString(), LEASE_MILLIS);
    Eventually.holds(
        () ->
            assertThat(directives.directives().get(file.toString()).cachedBytes())
                .isEqualTo(3 * BYTES));
    try (FSDataInputStream in = fs.open(file)) {
      assertThat(in).isInstanceOf(ZeroCopyInputStream.class);
      readsRight(in);
    }
  }

  /** The file system beneath the mount table is ours, and its streams come through. */
  @Test
  void readsThroughViewfsAreMapped() throws Exception {
    org.apache.hadoop.fs.Path file = write("/hbase/viewed");
    Configuration conf = new Configuration(CONF);
    conf.set("fs.viewfs.mounttable.all.link./hbase", cluster.getURI() + "/hbase");
    try (FileSystem view = FileSystem.newInstance(URI.create("viewfs://all/"), conf);
        FSDataInputStream in = view.open(file)) {
      readsRight(in);
      assertThat(in).isInstanceOf(ZeroCopyInputStream.class);
    }
  }

  /** A router passes the number of a directive on to every name service. */
  @Test
  void aRouterOfAFederationGetsNoPinsAndReadsThroughItAreMapped() throws Exception {
    org.apache.hadoop.fs.Path file = write("/hbase/routed");
    try (FederationRouter router =
        FederationRouter.start(cluster.getURI(), directory.resolve("router"))) {
      Configuration conf = new Configuration(CONF);
      conf.set("fs.defaultFS", router.uri().toString());
      try (DistributedFileSystem routed =
          (DistributedFileSystem) FileSystem.newInstance(router.uri(), conf)) {
        Eventually.holds(
            () -> assertThatCode(() -> routed.getFileStatus(file)).doesNotThrowAnyException());
        CacheDirectives directives =
            new CacheDirectives(
                routed, new org.apache.hadoop.fs.Path("/hbase"), PinOptions.of(CONF));
        for (ThrowingCallable call :
            List.<ThrowingCallable>of(directives::state, directives::directives)) {
          assertThatThrownBy(call)
              .isInstanceOf(CachePoolException.class)
              .hasMessageEndingWith(
                  "is a router of a federation, by which directives cannot be told apart: set"
                      + " hbase.rootdir to the name service itself");
        }
        try (FSDataInputStream in = routed.open(file)) {
          readsRight(in);
          assertThat(in).isInstanceOf(ZeroCopyInputStream.class);
        }
      }
    }
  }

  @Test
  void aNameNodeThatDoesNotCacheIsSaid() throws Exception {
    Configuration conf = MiniHdfs.conf();
    conf.setBoolean("dfs.namenode.caching.enabled", false);
    conf.set(PinOptions.LIMIT, "32m");
    conf.set(PinOptions.REPLICATION, "1");
    try (MiniDFSCluster without =
            MiniHdfs.builder(conf, directory.resolve("without")).numDataNodes(1).build();
        DistributedFileSystem own = without.getFileSystem()) {
      try (OutputStream out = own.create(new org.apache.hadoop.fs.Path("/hbase/file"))) {
        out.write(bytes());
      }
      CacheDirectives directives =
          new CacheDirectives(own, new org.apache.hadoop.fs.Path("/hbase"), PinOptions.of(conf));
      LockedMemoryCheck watch = new LockedMemoryCheck("pool");
      watch.check(directives.state(), 0);
      directives.pin("/hbase/file", LEASE_MILLIS);
      PoolState state = directives.state();
      assertThat(state.neededBytes()).isEqualTo(BYTES);
      assertThat(state.cachedBytes()).isZero();
      watch.check(state, 1);
      assertThatThrownBy(() -> watch.check(state, 2 + LockedMemoryCheck.PATIENCE_MILLIS))
          .hasMessageContaining("dfs.namenode.caching.enabled");
    }
  }
}
