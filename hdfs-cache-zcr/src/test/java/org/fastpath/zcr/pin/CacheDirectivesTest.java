package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.security.UserGroupInformation;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real NameNode, and a DataNode that locks memory. */
class CacheDirectivesTest {
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/hbase");
  private static final int BYTES = 1 << 20;
  private static final long LEASE_MILLIS = 86_400_000;
  private static final long LOCKED = 16 << 20;
  private static final AtomicInteger POOLS = new AtomicInteger();

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static DistributedFileSystem fs;

  private final String pool = "pool" + POOLS.incrementAndGet();
  private final String file = "/hbase/data/" + pool;
  private final Configuration conf = new Configuration(false);

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .hbase(false)
            .lockedMemory(LOCKED)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .start();
    fs = fileSystem();
    // A DataNode of Hadoop 3.5 reports no cache that is empty (HDFS-17339).
    fs.addCachePool(new CachePoolInfo("kept"));
    write("/kept", 1);
    add("/kept", "kept");
  }

  @AfterAll
  static void stop() throws IOException {
    if (fs != null) {
      fs.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void configure() throws IOException {
    write(file, BYTES);
    conf.set(PinOptions.POOL, pool);
    conf.set(PinOptions.LIMIT, "4m");
    conf.set(PinOptions.REPLICATION, "1");
  }

  @Test
  void aMissingPoolIsMadeAndAFileIsLockedInMemoryUntilItIsUnpinned() throws Exception {
    CacheDirectives directives = directives();
    assertThat(directives.state()).isEqualTo(new PoolState(4 << 20, 0, 0, LEASE_MILLIS));
    directives.pin(file, LEASE_MILLIS);
    Eventually.holds(
        () -> {
          Directive pinned = directives.directives().get(file);
          assertThat(pinned.bytes()).isEqualTo(BYTES);
          assertThat(pinned.cachedBytes()).isEqualTo(BYTES);
          assertThat(pinned.expired()).isFalse();
        });
    assertThat(fs.getFileBlockLocations(path(file), 0, BYTES)[0].getCachedHosts()).isNotEmpty();
    Directive seenByAnother = directives().directives().get(file);
    directives().unpin(seenByAnother);
    directives().unpin(seenByAnother);
    assertThat(directives.directives()).isEmpty();
    Eventually.holds(
        () ->
            assertThat(fs.getFileBlockLocations(path(file), 0, BYTES)[0].getCachedHosts())
                .isEmpty());
  }

  @Test
  void othersDirectivesAreCountedAndNotTouched() throws IOException {
    CacheDirectives directives = directives();
    directives.state();
    write("/elsewhere", BYTES);
    fs.addCachePool(new CachePoolInfo(pool + "-other"));
    long elsewhere = add("/elsewhere", pool);
    long otherPool = add(file, pool + "-other");
    directives.pin(file, LEASE_MILLIS);
    PoolState state = directives.state();
    assertThat(directives.directives()).containsOnlyKeys(file);
    assertThat(directives.directives().get(file).ids()).doesNotContain(elsewhere, otherPool);
    assertThat(state.neededBytes()).isEqualTo(2 * BYTES);
  }

  /** Changes are forced, so the NameNode takes it; it has nothing locked beyond the limit. */
  @Test
  void nothingIsLockedBeyondTheLimit() throws Exception {
    conf.set(PinOptions.LIMIT, "1m");
    CacheDirectives directives = directives();
    directives.state();
    write("/hbase/data/large", BYTES + 1);
    directives.pin(file, LEASE_MILLIS);
    directives.pin("/hbase/data/large", LEASE_MILLIS);
    Eventually.holds(
        () -> {
          PoolState state = directives.state();
          assertThat(state.neededBytes()).isEqualTo(2 * BYTES + 1);
          assertThat(state.cachedBytes()).isEqualTo(BYTES);
        });
  }

  @Test
  void doublesAreOneDirectiveThatBecomesSo() throws IOException {
    CacheDirectives directives = directives();
    directives.state();
    directives.pin(file, LEASE_MILLIS);
    directives.pin(file, LEASE_MILLIS);
    Directive both = directives.directives().get(file);
    assertThat(both.ids()).hasSize(2);
    assertThat(both.bytes()).isEqualTo(2 * BYTES);
    directives.unpinDoubles(both);
    assertThat(directives.directives().get(file).ids()).containsExactly(both.ids().get(0));
  }

  @Test
  void aLeaseEndsUnlessItIsRenewed() throws Exception {
    CacheDirectives directives = directives();
    directives.state();
    long id = directives.pin(file, 1_000);
    Eventually.holds(
        () -> {
          Directive ended = directives.directives().get(file);
          assertThat(ended.expired()).isTrue();
          assertThat(ended.bytes()).isZero();
        });
    Directive ended = directives.directives().get(file);
    assertThat(directives.expires(id)).hasValue(ended.expires());
    assertThat(directives.renew(id, 600_000)).isTrue();
    Directive renewed = directives.directives().get(file);
    assertThat(renewed.expired()).isFalse();
    assertThat(renewed.expires()).isGreaterThan(ended.expires() + 500_000);
    assertThat(directives.expires(id)).hasValue(renewed.expires());
    directives.unpin(renewed);
    assertThat(directives.renew(id, 600_000)).isFalse();
    assertThat(directives.expires(id)).isEmpty();
  }

  @Test
  void whatMustBeSetIsSaid() throws Exception {
    conf.unset(PinOptions.LIMIT);
    refused("does not exist: hdfs cacheadmin -addPool " + pool);
    fs.addCachePool(new CachePoolInfo(pool));
    refused("has no limit: hdfs cacheadmin -modifyPool " + pool + " -limit BYTES");
    fs.modifyCachePool(new CachePoolInfo(pool).setLimit(0L));
    refused("has limit 0: hdfs cacheadmin -modifyPool " + pool);
    fs.modifyCachePool(new CachePoolInfo(pool).setLimit(LOCKED).setMaxRelativeExpiryMs(5L));
    refused("lets directives live for 5 ms, less than 4 times " + PinOptions.INTERVAL);
    fs.modifyCachePool(new CachePoolInfo(pool).setMaxRelativeExpiryMs(7_200_000L));
    assertThat(directives().state().leaseMillis()).isEqualTo(7_200_000);
    assertThat(directives().lockable()).hasValue(LOCKED);
  }

  private void refused(String message) {
    assertThatThrownBy(() -> directives().state())
        .isInstanceOf(CachePoolException.class)
        .hasMessageContaining("cache pool " + pool)
        .hasMessageContaining(message);
  }

  @Test
  void whoMayNotIsToldWhatToSet() throws Exception {
    UserGroupInformation.createRemoteUser("someone")
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (DistributedFileSystem own = fileSystem()) {
                    refusedTo(own);
                  }
                  return null;
                });
  }

  private void refusedTo(DistributedFileSystem own) throws IOException {
    CacheDirectives directives = new CacheDirectives(own, ROOT, PinOptions.of(conf));
    assertThatThrownBy(directives::state)
        .isInstanceOf(CachePoolException.class)
        .hasMessageContaining("someone may not make it: hdfs cacheadmin -addPool " + pool)
        .hasMessageContaining("-owner someone");
    fs.addCachePool(new CachePoolInfo(pool).setLimit(LOCKED));
    directives.state();
    assertThatThrownBy(() -> directives.pin(file, LEASE_MILLIS))
        .isInstanceOf(CachePoolException.class)
        .hasMessageContaining("someone may not write cache pool " + pool)
        .hasMessageContaining("-modifyPool " + pool + " -owner someone");
    fs.modifyCachePool(new CachePoolInfo(pool).setMode(new FsPermission("700")));
    assertThatThrownBy(directives::state)
        .isInstanceOf(CachePoolException.class)
        .hasMessageContaining("someone may not read cache pool " + pool);
  }

  private CacheDirectives directives() {
    return new CacheDirectives(fs, ROOT, PinOptions.of(conf));
  }

  private static DistributedFileSystem fileSystem() throws IOException {
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    return (DistributedFileSystem) FileSystem.newInstance(configuration);
  }

  private static long add(String path, String pool) throws IOException {
    return fs.addCacheDirective(
        new CacheDirectiveInfo.Builder().setPath(path(path)).setPool(pool).build());
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static void write(String path, int bytes) throws IOException {
    try (OutputStream out = fs.create(path(path))) {
      out.write(new byte[bytes]);
    }
  }
}
