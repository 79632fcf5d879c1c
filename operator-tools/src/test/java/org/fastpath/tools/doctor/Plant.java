package org.fastpath.tools.doctor;

import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/**
 * A mistake that a test plants.
 *
 * @param mistake as the page tells it
 */
record Plant(Kind kind, String mistake, Consumer<World> sow) {
  private static final String REGIONS = "org.apache.hadoop.hbase.regionserver.";
  private static final String CACHE = "hbase.fastpath.offheap-cache.";
  private static final String TIERING = "hbase.fastpath.tiering.";
  private static final String POLICY = "dfs.fastpath.storage-policy.";

  static List<Plant> all() {
    List<Plant> plants = new ArrayList<>();
    plants.addAll(keys());
    plants.addAll(jars());
    plants.addAll(memory());
    plants.addAll(readers());
    plants.addAll(zeroCopy());
    plants.addAll(tiers());
    plants.addAll(volumes());
    plants.addAll(features());
    plants.addAll(unseen());
    return plants;
  }

  private static List<Plant> keys() {
    return List.of(
        new Plant(
            Kind.MISSPELT_KEY,
            "`hbase.fastpath.offheap-cache.siez`",
            w -> w.hbase(CACHE + "siez", "16g")),
        new Plant(
            Kind.MISSPELT_STOCK_KEY,
            "`hbase.regionserver.handler.cuont`",
            w -> w.hbase("hbase.regionserver.handler.cuont", "30")),
        new Plant(
            Kind.UNKNOWN_KEY,
            "`hbase.fastpath.turbo`",
            w -> w.hbase("hbase.fastpath.turbo", "true")),
        new Plant(
            Kind.WRONG_VALUE,
            "`dfs.fastpath.zcr.max-mappings` = 0",
            w -> w.hbase("dfs.fastpath.zcr.max-mappings", "0")),
        new Plant(
            Kind.MISSPELT_CLASS,
            "`fs.hdfs.impl` = `org.fastpath.zcr.ZeroCopyFilesystm`",
            w ->
                w.hbase("fs.hdfs.impl", "org.fastpath.zcr.ZeroCopyFilesystm")
                    .hbase(
                        "hbase.coprocessor.user.region.classes",
                        "org.fastpath.tiered.regionserver.TieredStores")),
        new Plant(
            Kind.KEY_TWICE,
            "`hbase.fastpath.hdfs-cache.limit` in two places of one file",
            w -> w.again("hbase.fastpath.hdfs-cache.limit", "4g")),
        new Plant(
            Kind.KEY_IN_WRONG_FILE,
            "`dfs.fastpath.pool-lock.patience-millis` in HBase's `hbase-site.xml`",
            w -> w.hbase("dfs.fastpath.pool-lock.patience-millis", "1000")),
        new Plant(
            Kind.KEYS_WITHOUT_FEATURE,
            "`hbase.fastpath.warm-up.seconds` without the coprocessor `ReadWarmUp`",
            w -> w.hbase("hbase.fastpath.warm-up.seconds", "20")));
  }

  private static List<Plant> jars() {
    return List.of(
        new Plant(
            Kind.CLASS_WITHOUT_JAR,
            "our jars are not in `HBASE_CLASSPATH_PREFIX`",
            w -> w.hbaseEnv("export HBASE_OFFHEAPSIZE=18g")),
        new Plant(
            Kind.TWO_VERSIONS_ON_CLASSPATH,
            "hbase-offheap-read 0.1.0 in HBase's `lib` beside 0.2.0",
            w -> w.jar("hbase-offheap-read", "0.1.0")),
        new Plant(
            Kind.PATCH_NOT_FIRST,
            "hbase-native-checksum behind hadoop-common in `HADOOP_CLASSPATH`",
            w -> w.hadoopEnv("export HADOOP_CLASSPATH=$HADOOP_HOME/fastpath/*")));
  }

  private static List<Plant> memory() {
    return List.of(
        new Plant(
            Kind.BUCKET_CACHE_BESIDE_OURS,
            "`hbase.bucketcache.ioengine` beside the off-heap cache",
            w -> w.hbase("hbase.bucketcache.ioengine", "offheap")),
        new Plant(
            Kind.EXTERNAL_CACHE_BESIDE_OURS,
            "`hbase.blockcache.use.external` beside the off-heap cache",
            w -> w.hbase("hbase.blockcache.use.external", "true")),
        new Plant(
            Kind.FIRST_LEVEL_OFF,
            "`hfile.block.cache.size` = 0",
            w -> w.hbase("hfile.block.cache.size", "0")),
        new Plant(
            Kind.CACHE_WITHOUT_SIZE,
            "neither a size nor `HBASE_OFFHEAPSIZE`",
            w ->
                w.hbase(CACHE + "size", null)
                    .hbaseEnv("export HBASE_CLASSPATH_PREFIX=$HBASE_HOME/fastpath/*")),
        new Plant(
            Kind.TOO_LITTLE_DIRECT_MEMORY,
            "a cache of 64 GB with `HBASE_OFFHEAPSIZE=18g`",
            w -> w.hbase(CACHE + "size", "64g")),
        new Plant(
            Kind.HEAP_SHARES_TOO_LARGE,
            "`hbase.regionserver.global.memstore.size` = 0.6 with 0.4 for the block cache",
            w -> w.hbase("hbase.regionserver.global.memstore.size", "0.6")),
        new Plant(
            Kind.WARM_CACHE_EVICTED_ON_CLOSE,
            "`hbase.rs.evictblocksonclose` with a cache that lives in a file",
            w ->
                w.hbase(CACHE + "file", "/dev/shm/cache")
                    .hbase("hbase.rs.evictblocksonclose", "true")),
        new Plant(
            Kind.MEMORY_BEYOND_MACHINE,
            "heap, direct and locked memory of 70 GB on a machine with 64",
            w ->
                w.bean(World.SERVER, Beans.SYSTEM, "TotalMemorySize", 64L << 30)
                    .bean(World.SERVER, Beans.MEMORY, "HeapMemoryUsage", Map.of("max", 30L << 30))
                    .bean(
                        World.SERVER,
                        Beans.RUNTIME,
                        "InputArguments",
                        List.of("-XX:MaxDirectMemorySize=40g"))),
        new Plant(
            Kind.LOCKED_MEMORY_BELOW_LIMIT,
            "a pool of 8 GB, and two DataNodes that lock 2 GB each",
            w ->
                w.bean(World.NAMENODE, Beans.NAMENODE, "CacheCapacity", 4L << 30)
                    .bean(World.NAMENODE, Beans.NAMENODE, "LiveNodes", "{\"a\":{},\"b\":{}}")),
        new Plant(
            Kind.CACHE_FULL_OF_BLOCKS,
            "blocks of 2 KB in a cache that is half empty and evicts",
            w ->
                w.bean(World.SERVER, Beans.CACHE, "capacityBytes", 16L << 30)
                    .bean(World.SERVER, Beans.CACHE, "freeBytes", 8L << 30)
                    .bean(World.SERVER, Beans.CACHE, "evictedBlockCount", 7)
                    .bean(World.SERVER, Beans.CACHE, "cachedBlockCount", 4L << 20)
                    .bean(World.SERVER, Beans.CACHE, "cachedBytes", 8L << 30)));
  }

  private static List<Plant> readers() {
    return List.of(
        new Plant(
            Kind.READER_WITHOUT_ENGINE,
            "the off-heap reader with HBase's RegionServer class and engine",
            w -> w.hbase("hbase.regionserver.impl", null).hbase(CACHE + "size", null)),
        new Plant(
            Kind.FOREIGN_STORE_ENGINE,
            "the off-heap reader with HBase's `StripeStoreEngine`",
            w -> w.hbase("hbase.hstore.engine.class", REGIONS + "StripeStoreEngine")),
        new Plant(
            Kind.FOREIGN_REGION_CLASS,
            "the off-heap reader with a region class of another product",
            w -> w.hbase("hbase.hregion.impl", "com.example.AuditedRegion")),
        new Plant(
            Kind.REGION_METRICS_TWICE,
            "`MeteredRegion` and the coprocessor `RegionMetricsObserver`",
            w ->
                w.hbase("hbase.hregion.impl", REGIONS + "MeteredRegion")
                    .hbase(
                        "hbase.coprocessor.region.classes",
                        "com.example.Audit,org.fastpath.metrics.region.RegionMetricsObserver")),
        new Plant(
            Kind.STOCK_READER,
            "a family with `FAST_DIFF` and compressed tags, read with the off-heap reader on",
            w ->
                w.family(new StockFamily("orders", "f", "FAST_DIFF"))
                    .bean(World.SERVER, Beans.READER, "stockScannerCount", 13040)));
  }

  private static List<Plant> zeroCopy() {
    return List.of(
        new Plant(
            Kind.MAPPED_BLOCKS_WITHOUT_FILE_SYSTEM,
            "the coprocessor `MappedBlocks` without `fs.hdfs.impl`",
            w -> w.hbase("fs.hdfs.impl", null)),
        new Plant(
            Kind.MAPPED_BLOCKS_WITHOUT_READER,
            "the coprocessor `MappedBlocks` with `hbase.fastpath.offheap-reader.enabled` = `false`",
            w -> w.hbase("hbase.fastpath.offheap-reader.enabled", "false")),
        new Plant(
            Kind.SHADOWED_BY_DEFAULT,
            "`dfs.domain.socket.path` in `hdfs-site.xml` of HBase's directory",
            w ->
                w.hbase("dfs.domain.socket.path", null)
                    .hdfsOfHBase("dfs.domain.socket.path", "/run/dn_socket")),
        new Plant(
            Kind.SHORT_CIRCUIT_OFF,
            "`dfs.client.read.shortcircuit` = `false` in `hbase-site.xml`",
            w -> w.hbase("dfs.client.read.shortcircuit", "false")),
        new Plant(
            Kind.NO_SOCKET_PATH,
            "no `dfs.domain.socket.path` for DataNodes",
            w -> w.hdfs("dfs.domain.socket.path", null)),
        new Plant(
            Kind.SOCKET_PATHS_DIFFER,
            "`dfs.domain.socket.path` is another one for HBase",
            w -> w.hbase("dfs.domain.socket.path", "/var/run/other")),
        new Plant(
            Kind.MMAP_OFF,
            "`dfs.client.mmap.enabled` = `false`",
            w -> w.hbase("dfs.client.mmap.enabled", "false")),
        new Plant(
            Kind.NO_LOCKED_MEMORY,
            "pinning, and no `dfs.datanode.max.locked.memory`",
            w -> w.hdfs("dfs.datanode.max.locked.memory", null)),
        new Plant(
            Kind.BALANCER_WITHOUT_COST,
            "`CachedReplicaLoadBalancer` without its cost function",
            w ->
                w.hbase(
                    "hbase.master.loadbalancer.class",
                    "org.apache.hadoop.hbase.master.balancer.CachedReplicaLoadBalancer")),
        new Plant(
            Kind.PREFETCH_BESIDE_MAPPED_BLOCKS,
            "`hbase.rs.prefetchblocksonopen` with mapped blocks",
            w -> w.hbase("hbase.rs.prefetchblocksonopen", "true")),
        new Plant(
            Kind.HBASE_CHECKSUMS_OFF,
            "`hbase.regionserver.checksum.verify` = `false` with mapped blocks",
            w -> w.hbase("hbase.regionserver.checksum.verify", "false")),
        new Plant(
            Kind.READAHEAD_ON,
            "short-circuit reads with HDFS's read-ahead",
            w -> w.hbase("dfs.client.cache.readahead", null)),
        new Plant(
            Kind.PINS_NOTHING,
            "no cache pool, five minutes after the start",
            w ->
                w.bean(World.SERVER, Beans.PINS, "idleCount", 1)
                    .bean(World.SERVER, Beans.RUNTIME, "Uptime", 400_000)));
  }

  private static List<Plant> tiers() {
    return List.of(
        new Plant(
            Kind.THROTTLE_WITHOUT_QUOTA,
            "the guard's throttle without `hbase.quota.enabled`",
            w -> w.hbase("hbase.fastpath.tier-guard.throttle", "true")),
        new Plant(
            Kind.UNKNOWN_STORAGE_POLICY,
            "`hbase.fastpath.tiering.compaction` = `ONE_SDD`",
            w -> w.hbase(TIERING + "compaction", "ONE_SDD")),
        new Plant(
            Kind.TIER_WITHOUT_VOLUME,
            "`hbase.fastpath.tiering.archive` = `COLD` and no volume `[ARCHIVE]`",
            w -> w.hbase(TIERING + "archive", "COLD")),
        new Plant(
            Kind.STORAGE_POLICY_INCOMPLETE,
            "the policy `TWO_SSD` without an id",
            w ->
                w.hdfs("dfs.fastpath.storage-policies", "TWO_SSD")
                    .hdfs(POLICY + "TWO_SSD.storage-types", "SSD,SSD,DISK")),
        new Plant(
            Kind.STORAGE_POLICY_NOT_LISTED,
            "the policy `TWO_SSD` defined and not in `dfs.fastpath.storage-policies`",
            w -> w.hdfs(POLICY + "TWO_SSD.id", "9")),
        new Plant(
            Kind.STORAGE_POLICY_ID_TAKEN,
            "the policy `TWO_SSD` with the id of `HOT`",
            w ->
                w.hdfs("dfs.fastpath.storage-policies", "TWO_SSD")
                    .hdfs(POLICY + "TWO_SSD.storage-types", "SSD,SSD,DISK")
                    .hdfs(POLICY + "TWO_SSD.id", "7")),
        new Plant(
            Kind.OWN_DEFAULT_POLICY,
            "`dfs.storage.default.policy` = `TWO_SSD`",
            w ->
                w.hdfs("dfs.fastpath.storage-policies", "TWO_SSD")
                    .hdfs(POLICY + "TWO_SSD.storage-types", "SSD,SSD,DISK")
                    .hdfs(POLICY + "TWO_SSD.id", "9")
                    .hdfs("dfs.storage.default.policy", "TWO_SSD")));
  }

  private static List<Plant> volumes() {
    return List.of(
        new Plant(
            Kind.SLOW_DISKS_EXCLUDED,
            "`dfs.datanode.max.slowdisks.to.exclude` = 1 with the latency-aware policy",
            w -> w.hdfs("dfs.datanode.max.slowdisks.to.exclude", "1")),
        new Plant(
            Kind.BEHIND_TYPES_WITHOUT_FACTORY,
            "`dfs.fastpath.drop-behind.types` with HDFS's dataset",
            w ->
                w.hdfs("dfs.datanode.fsdataset.factory", null)
                    .hdfs("dfs.fastpath.drop-behind.types", "DISK")),
        new Plant(
            Kind.BEHIND_TYPES_WITHOUT_SWITCH,
            "`dfs.fastpath.write-behind.types` without `dfs.datanode.sync.behind.writes`",
            w -> w.hdfs("dfs.fastpath.write-behind.types", "DISK")),
        new Plant(
            Kind.ONE_VOLUME,
            "the latency-aware policy on one volume of each type",
            w -> w.hdfs("dfs.datanode.data.dir", "[SSD]/s0,/d0")));
  }

  private static List<Plant> features() {
    return List.of(
        new Plant(
            Kind.FALLEN_BACK,
            "a RegionServer of another version of HBase",
            w ->
                w.feature(
                    World.SERVER,
                    "cache",
                    "hbase-offheap-read",
                    "0.2.0",
                    FeatureReport.FALLEN_BACK,
                    "in HBase 2.7.0, HRegionServer#blockCache differs from the verified code; to use it"
                        + " all the same, set hbase.fastpath.unverified to allow")),
        new Plant(
            Kind.MISCONFIGURED,
            "a RegionServer that was started with `hbase.fastpath.offheap-reader.enabled` = `ture`",
            w ->
                w.feature(
                    World.SERVER,
                    "offheap-reader",
                    "hbase-offheap-read",
                    "0.2.0",
                    FeatureReport.MISCONFIGURED,
                    "hbase.fastpath.offheap-reader.enabled is ture, allowed is true or false")),
        new Plant(
            Kind.STANDS_ASIDE,
            "a RegionServer without hdfs-cache-zcr.jar",
            w ->
                w.feature(
                    World.SERVER,
                    "pinning",
                    "hdfs-cache-zcr",
                    "0.2.0",
                    FeatureReport.OFF,
                    "hdfs-cache-zcr.jar is not on the class path")),
        new Plant(
            Kind.NOT_RESTARTED,
            "a DataNode that has not been restarted with our keys",
            w -> w.noFeatures(World.DATANODE)),
        new Plant(
            Kind.VERSIONS_DIFFER,
            "one RegionServer with hdfs-cache-zcr 0.1.0",
            w ->
                w.feature(
                    World.OTHER_SERVER,
                    "zero-copy",
                    "hdfs-cache-zcr",
                    "0.1.0",
                    FeatureReport.ACTIVE,
                    "")),
        new Plant(
            Kind.ON_SOME_NODES_ONLY,
            "`read-warm-up` on one of two RegionServers",
            w ->
                w.feature(
                        World.SERVER,
                        "read-warm-up",
                        "hdfs-cache-zcr",
                        "0.2.0",
                        FeatureReport.ACTIVE,
                        "")
                    .feature(
                        World.OTHER_SERVER,
                        "read-warm-up",
                        "hdfs-cache-zcr",
                        "0.2.0",
                        FeatureReport.OFF,
                        "")));
  }

  private static List<Plant> unseen() {
    return List.of(
        new Plant(
            Kind.UNREADABLE_FILE,
            "`hbase-site.xml` is no XML",
            w -> w.broken("<configuration><property>")),
        new Plant(
            Kind.DAEMON_UNREACHABLE,
            "a RegionServer that is down",
            w -> w.failed(World.OTHER_SERVER, new ConnectException("Connection refused"))),
        new Plant(
            Kind.DAEMON_WANTS_LOGIN,
            "SPNEGO without a ticket",
            w -> w.failed(World.OTHER_SERVER, new AuthenticationException("No valid credentials"))),
        new Plant(
            Kind.DAEMON_NOT_TRUSTED,
            "https with a certificate that the trust store lacks",
            w ->
                w.failed(
                    World.OTHER_SERVER, new SSLHandshakeException("PKIX path building failed"))),
        new Plant(
            Kind.DAEMON_ANSWERS_OTHERWISE,
            "plain http to a port that speaks https",
            w -> w.failed(World.OTHER_SERVER, new IOException("Unexpected end of file"))),
        new Plant(
            Kind.CLUSTER_UNREACHABLE,
            "`--cluster` without an HMaster",
            w -> w.unseen(Rounds.unreachable("/etc/hbase/conf", "zk1", "No meta znode"))),
        new Plant(
            Kind.CLUSTER_WANTS_LOGIN,
            "`--cluster` with Kerberos, without a ticket",
            w -> w.unseen(Rounds.wantsLogin("/etc/hbase/conf"))));
  }
}
