package org.fastpath.bench.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fastpath.common.guard.AlteredClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A class of HBase or Hadoop with one altered method is before the release's own. It turns off each
 * feature that relies on the method. The class path is that of a daemon with all jars.
 */
class AlteredServerTest {
  private static final String HADOOP = "org.apache.hadoop.";

  /** No stock class path has this module, so the tests' class path does not have it either. */
  private static final Path CHECKSUM = Path.of("..", "hbase-native-checksum", "target", "classes");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "hbase.regionserver.KeyValueHeap, next, lean-scans",
    "hbase.ipc.CallRunner, run, inline-reads",
    "hbase.io.HalfStoreFileReader, getScanner, offheap-reader",
    "hbase.io.hfile.BlockCacheKey, hashCode, cache",
    "hbase.regionserver.HRegion, prepareGet, region-metrics",
    "hbase.io.hfile.ChecksumUtil, generateChecksums, checksum-hbase",
    "hbase.master.balancer.BaseLoadBalancer, retainAssignment, balancer",
    "hbase.regionserver.HStore, getStorefiles, pinning",
    "hbase.regionserver.HRegionServer, isOnline, read-warm-up",
    "hbase.quotas.QuotaCache, getRegionServerQuotaLimiter, tier-guard",
    "hbase.fs.HFileSystem, useHBaseChecksum, tier-rules",
    "hdfs.protocol.datatransfer.Sender, replaceBlock, mover",
    "hdfs.server.datanode.DataSetLockManager, addLock, tiered-dataset",
  })
  void exactlyTheFeatureThatReliesOnTheMethodIsOff(String name, String method, String feature)
      throws Exception {
    Map<String, String> off = off(HADOOP + name, method);
    assertThat(off).containsOnlyKeys(feature);
    assertThat(off.get(feature))
        .startsWith(
            "in this release, " + HADOOP + name + "#" + method + " differs from the verified code")
        .endsWith("; to use it all the same, set hbase.fastpath.unverified to allow");
  }

  @Test
  void aMethodThatNobodyReliesOnTurnsOffNothing() throws Exception {
    assertThat(off("org.apache.hadoop.hbase.regionserver.HRegionServer", "abort")).isEmpty();
  }

  private Map<String, String> off(String name, String method) throws Exception {
    List<URL> urls = new ArrayList<>();
    urls.add(AlteredClass.write(folder, name, method).toUri().toURL());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(new File(entry).toURI().toURL());
    }
    urls.add(CHECKSUM.toUri().toURL());
    Map<String, String> off = new TreeMap<>(reasons(urls.toArray(URL[]::new)));
    off.values().removeIf(String::isEmpty);
    return off;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> reasons(URL[] urls)
      throws ReflectiveOperationException, IOException {
    ClassLoader parent = ClassLoader.getPlatformClassLoader();
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(urls, parent)) {
      Thread.currentThread().setContextClassLoader(loader);
      return (Map<String, String>)
          loader
              .loadClass("org.fastpath.bench.guard.GuardedFeatures")
              .getMethod("reasons")
              .invoke(null);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }
}
