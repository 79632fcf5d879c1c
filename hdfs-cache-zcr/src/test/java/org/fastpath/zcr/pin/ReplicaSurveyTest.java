package org.fastpath.zcr.pin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSOpsCountStatistics;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.fastpath.cluster.DaemonOptions;
import org.fastpath.cluster.Eventually;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real NameNode, and a DataNode that locks memory. */
class ReplicaSurveyTest {
  private static final AtomicInteger POOLS = new AtomicInteger();
  private static final int BLOCK_BYTES = 1 << 16;
  private static final long FRESH = Duration.ofMinutes(10).toNanos();

  @TempDir static Path directory;

  private static LocalCluster cluster;
  private static DistributedFileSystem fs;
  private static String host;

  private final String pool = "pool" + POOLS.incrementAndGet();
  private final AtomicLong clock = new AtomicLong();
  private Configuration conf;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .hbase(false)
            .conf("dfs.blocksize", Integer.toString(BLOCK_BYTES))
            .conf("dfs.namenode.fs-limits.min-block-size", "4096")
            .lockedMemory(16 << 20)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .start();
    fs = (DistributedFileSystem) FileSystem.get(configuration());
    host = fs.getDataNodeStats()[0].getHostName();
  }

  private static Configuration configuration() {
    Configuration conf = new Configuration();
    cluster.clientConfiguration().forEach(conf::set);
    return conf;
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
  void makePool() throws IOException {
    conf = configuration();
    conf.set(PinOptions.POOL, pool);
    fs.addCachePool(new CachePoolInfo(pool));
  }

  @AfterEach
  void removePool() throws IOException {
    fs.removeCachePool(pool);
    fs.delete(path("/hbase"), true);
  }

  @Test
  void bytesOfPinnedStoreFilesAreFoundByRegionAndHost() throws Exception {
    ReplicaSurvey survey = survey(100);
    assertThat(survey.run()).isEqualTo(CachedBytes.NONE);
    pin("/hbase/data/default/t/one/f/a", 3 * BLOCK_BYTES + 1);
    pin("/hbase/data/default/t/one/g/b", 5);
    pin("/hbase/data/ns/t/two/f/c", 7);
    write("/hbase/data/ns/t/three/f/notPinned", 11);
    pin("/hbase/data/ns/t/two/notAStoreFile", 13);
    pin("/hbase/archive/data/ns/t/two/f/archived", 17);
    pin("/elsewhere/data/ns/t/two/f/d", 19);
    awaitCached(3 * BLOCK_BYTES + 1 + 5 + 7 + 13 + 17 + 19);
    assertThat(survey.run())
        .isEqualTo(
            new CachedBytes(
                Map.of(
                    "one", Map.of(host, 3L * BLOCK_BYTES + 6),
                    "two", Map.of(host, 7L))));
    conf.set(PinOptions.POOL, "no-such-pool");
    assertThat(survey(100).run()).isEqualTo(CachedBytes.NONE);
  }

  @Test
  void whatIsKnownIsNotAskedForAgain() throws Exception {
    pin("/hbase/data/default/t/one/f/a", 5);
    pin("/hbase/data/default/t/two/f/b", 7);
    awaitCached(12);
    ReplicaSurvey survey = survey(100);
    long listings = listings();
    assertThat(survey.run().total()).isEqualTo(12);
    assertThat(survey.run().total()).isEqualTo(12);
    assertThat(listings() - listings).isEqualTo(2);
    pin("/hbase/data/default/t/two/f/c", 9);
    awaitCached(21);
    assertThat(survey.run().of("two")).isEqualTo(Map.of(host, 16L));
    assertThat(listings() - listings).isEqualTo(3);
    clock.addAndGet(FRESH);
    assertThat(survey.run().total()).isEqualTo(21);
    assertThat(listings() - listings).isEqualTo(5);
  }

  @Test
  void aLargePoolIsLearnedInSeveralSurveys() throws Exception {
    Set<String> regions = Set.of("one", "two", "three");
    for (String region : regions) {
      pin("/hbase/data/default/t/" + region + "/f/a", 5);
    }
    awaitCached(15);
    ReplicaSurvey survey = survey(1);
    for (int known = 1; known <= regions.size(); known++) {
      assertThat(survey.run().byRegion()).hasSize(known);
    }
    assertThat(survey.run().byRegion()).containsOnlyKeys(regions);
  }

  @Test
  void aRegionThatIsGoneIsNotAnError() throws Exception {
    pin("/hbase/data/default/t/one/f/a", 5);
    pin("/hbase/data/default/t/two/f/b", 7);
    awaitCached(12);
    fs.delete(path("/hbase/data/default/t/one"), true);
    assertThat(survey(100).run().byRegion()).containsOnlyKeys("two");
  }

  private ReplicaSurvey survey(int mostStores) {
    return new ReplicaSurvey(conf, path("/hbase"), PinOptions.of(conf), mostStores, clock::get);
  }

  private static long listings() {
    return GlobalStorageStatistics.INSTANCE
        .get(DFSOpsCountStatistics.NAME)
        .getLong("op_list_located_status");
  }

  private void pin(String path, int bytes) throws IOException {
    write(path, bytes);
    fs.addCacheDirective(
        new CacheDirectiveInfo.Builder().setPath(path(path)).setPool(pool).build());
  }

  private static void write(String path, int bytes) throws IOException {
    try (OutputStream out = fs.create(path(path))) {
      out.write(new byte[bytes]);
    }
  }

  private void awaitCached(long bytes) throws Exception {
    Eventually.holds(() -> assertThat(cachedBytes()).isEqualTo(bytes));
  }

  private long cachedBytes() throws IOException {
    RemoteIterator<CachePoolEntry> pools = fs.listCachePools();
    while (pools.hasNext()) {
      CachePoolEntry entry = pools.next();
      if (entry.getInfo().getPoolName().equals(pool)) {
        return entry.getStats().getBytesCached();
      }
    }
    throw new IOException("no pool " + pool);
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
