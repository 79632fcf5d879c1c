package org.fastpath.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.fastpath.common.guard.AlteredClass;
import org.fastpath.common.guard.ClassSource;
import org.fastpath.common.guard.Guard;
import org.fastpath.common.guard.RecordedJars;
import org.fastpath.common.guard.Reliance;
import org.fastpath.common.guard.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A change of upstream code turns off the features that rely on the code, and no others. */
class GuardTest {
  private static final String HADOOP = "org/apache/hadoop/";
  private static final String SERVER = "org/apache/hadoop/hbase/regionserver/";
  private static final String HFILE = "org/apache/hadoop/hbase/io/hfile/";

  @Test
  void allFeaturesAreOnWithTheCodeTheyWereVerifiedWith() throws IOException {
    Map<String, Verdict> verdicts = verdicts(null);
    assertThat(verdicts).hasSizeGreaterThanOrEqualTo(15);
    assertThat(verdicts.values()).allSatisfy(verdict -> assertThat(verdict.same()).isTrue());
  }

  @ParameterizedTest
  @CsvSource({
    "hbase/regionserver/KeyValueHeap, next, lean-scans",
    "hbase/ipc/CallRunner, run, inline-reads",
    "hbase/io/HalfStoreFileReader, getScanner, offheap-reader",
    "hbase/io/hfile/BlockCacheKey, hashCode, cache",
    "hbase/io/hfile/HFileBlock$FSReaderImpl, readBlockDataInternal, mapped-blocks",
    "hbase/regionserver/HRegion, prepareGet, region-metrics",
    "hbase/io/hfile/ChecksumUtil, generateChecksums, checksum-hbase",
    "hbase/master/balancer/BaseLoadBalancer, retainAssignment, balancer",
    "hbase/regionserver/HStore, getStorefiles, pinning",
    "hbase/regionserver/HRegionServer, isOnline, read-warm-up",
    "hbase/quotas/QuotaCache, getRegionServerQuotaLimiter, tier-guard",
    "hbase/fs/HFileSystem, useHBaseChecksum, tier-rules",
    "util/NativeCrc32, isAvailable, checksum-hadoop",
    "hdfs/DistributedFileSystem, open, zero-copy",
    "hdfs/protocol/datatransfer/Sender, replaceBlock, mover",
    "hdfs/server/datanode/ProfilingFileIoEvents, afterFileIo, latency-volumes",
    "hdfs/server/datanode/DataSetLockManager, addLock, tiered-dataset",
    "hdfs/server/blockmanagement/BlockStoragePolicySuite, getPolicy, storage-policies",
  })
  void anAlteredMethodTurnsOffTheFeatureThatReliesOnIt(String name, String method, String feature)
      throws IOException {
    String owner = HADOOP + name;
    Map<String, Verdict> off = off(owner, bytes -> AlteredClass.longer(bytes, method));
    assertThat(off).containsOnlyKeys(feature);
    assertThat(off.get(feature).links()).isTrue();
    assertThat(off.get(feature).differences())
        .startsWith(owner.replace('/', '.') + "#" + method + " differs from the verified code");
  }

  @ParameterizedTest
  @CsvSource({
    "hbase/regionserver/HRegion, close",
    "hbase/regionserver/HStore, replaceStoreFiles",
    "hbase/regionserver/StoreScanner, isScanUsePread",
    "hbase/io/hfile/HFileReaderImpl, getMetaBlock",
    "hbase/io/hfile/CacheConfig, toString",
    "hdfs/DFSClient, getTrashRoot",
    "hdfs/server/datanode/DataNode, shutdown",
  })
  void anAlteredMethodThatNobodyReliesOnTurnsOffNothing(String name, String method)
      throws IOException {
    assertThat(off(HADOOP + name, bytes -> AlteredClass.longer(bytes, method))).isEmpty();
  }

  @Test
  void aMemberThatIsGoneTurnsOffTheFeatureThatUsesIt() throws IOException {
    Map<String, Verdict> off =
        off(SERVER + "HRegionServer", bytes -> AlteredClass.without(bytes, "blockCache"));
    assertThat(off).containsOnlyKeys("cache");
    assertThat(off.get("cache").links()).isFalse();
    assertThat(off.get("cache").differences())
        .isEqualTo("org.apache.hadoop.hbase.regionserver.HRegionServer#blockCache is missing");
  }

  @Test
  void aMethodThatIsGoneTurnsOffTheFeaturesThatCallIt() throws IOException {
    assertThat(
            off(
                HFILE + "HFileContextBuilder",
                bytes -> AlteredClass.without(bytes, "withBytesPerCheckSum")))
        .hasEntrySatisfying("mapped-blocks", verdict -> assertThat(verdict.links()).isFalse());
  }

  @Test
  void aNewAbstractMethodTurnsOffTheFeatureThatImplementsTheInterface() throws IOException {
    Map<String, Verdict> off =
        off(HFILE + "BlockCache", bytes -> AlteredClass.withAbstract(bytes, "evictEverything"));
    assertThat(off).containsKey("cache");
    assertThat(off.get("cache").differences())
        .contains("#evictEverything is abstract and has no implementation of ours");
  }

  /** A jar's directory identifies the version, so a start is fast. */
  @Test
  void theClassFilesOfVerifiedVersionsAreNotRead() throws IOException {
    assertThat(verdicts(null).values()).allSatisfy(verdict -> assertThat(verdict.read()).isZero());
  }

  /** Compares all features with the primary versions, in which one class is changed. */
  private static Map<String, Verdict> off(String owner, UnaryOperator<byte[]> change)
      throws IOException {
    Map<String, Verdict> off = new TreeMap<>();
    verdicts(new Changed(owner, change))
        .forEach(
            (feature, verdict) -> {
              if (!verdict.same()) {
                off.put(feature, verdict);
              }
            });
    return off;
  }

  private record Changed(String owner, UnaryOperator<byte[]> change) {}

  private static Map<String, Verdict> verdicts(Changed changed) throws IOException {
    Map<String, Verdict> verdicts = new TreeMap<>();
    try (RecordedJars jars = Guards.jars(Guards.HBASE, Guards.HADOOP)) {
      ClassSource source = name -> bytes(jars, name, changed);
      for (Map.Entry<String, Reliance> feature : Guards.features().entrySet()) {
        verdicts.put(feature.getKey(), Guard.check(feature.getValue(), source));
      }
    }
    return verdicts;
  }

  private static byte[] bytes(RecordedJars jars, String name, Changed changed) {
    byte[] bytes = Guards.find(jars, name);
    return changed == null || !name.equals(changed.owner) ? bytes : changed.change.apply(bytes);
  }
}
