package org.fastpath.bench.guard;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;

/**
 * Runs the guards of features like a daemon at start, on the class path of this class's loader.
 * {@link GuardCostCommand} starts {@link #main} in new JVMs, which prints the CPU time of each.
 */
public final class GuardedFeatures {
  /** The unit after the name of a feature and its CPU time. */
  static final String MICROS = " us";

  /** The name of the sum. */
  static final String ALL = "all";

  private static final Supplier<String> UNSET = () -> null;

  /** By module: the package of our common classes in its jar, and a class of the jar. */
  private static final Map<String, List<String>> MODULES =
      Map.of(
          "hbase-native-checksum",
          List.of("org.fastpath.checksum", "org.fastpath.checksum.ChecksumFeatures"),
          "hbase-metrics2-shim",
          List.of("org.fastpath.metrics.region", "org.fastpath.metrics.region.RegionMeter"),
          "hbase-offheap-read",
          List.of("org.fastpath.offheap", "org.fastpath.offheap.status.CacheFeatures"),
          "hdfs-cache-zcr",
          List.of("org.fastpath.zcr", "org.fastpath.zcr.status.HBaseFeatures"),
          "hdfs-tiered-volume",
          List.of("org.fastpath.tiered", "org.fastpath.tiered.status.HBaseFeatures"));

  /** All features of a RegionServer, in the order of its start. */
  static final Map<String, String> OF_REGION_SERVERS = new LinkedHashMap<>();

  /** The features of other daemons. */
  static final Map<String, String> OF_OTHERS = new TreeMap<>();

  static {
    OF_REGION_SERVERS.put("checksum-hadoop", "hbase-native-checksum");
    OF_REGION_SERVERS.put("checksum-hbase", "hbase-native-checksum");
    OF_REGION_SERVERS.put("cache", "hbase-offheap-read");
    OF_REGION_SERVERS.put("offheap-reader", "hbase-offheap-read");
    OF_REGION_SERVERS.put("lean-scans", "hbase-offheap-read");
    OF_REGION_SERVERS.put("inline-reads", "hbase-offheap-read");
    OF_REGION_SERVERS.put("zero-copy", "hdfs-cache-zcr");
    OF_REGION_SERVERS.put("mapped-blocks", "hdfs-cache-zcr");
    OF_REGION_SERVERS.put("pinning", "hdfs-cache-zcr");
    OF_REGION_SERVERS.put("read-warm-up", "hdfs-cache-zcr");
    OF_REGION_SERVERS.put("region-metrics", "hbase-metrics2-shim");
    OF_REGION_SERVERS.put("tier-rules", "hdfs-tiered-volume");
    OF_REGION_SERVERS.put("tier-guard", "hdfs-tiered-volume");
    OF_OTHERS.put("balancer", "hdfs-cache-zcr");
    OF_OTHERS.put("mover", "hdfs-tiered-volume");
    OF_OTHERS.put("latency-volumes", "hdfs-tiered-volume");
    OF_OTHERS.put("tiered-dataset", "hdfs-tiered-volume");
    OF_OTHERS.put("storage-policies", "hdfs-tiered-volume");
  }

  private GuardedFeatures() {}

  /**
   * Checks all features. Returns the reason why each stays off; empty for those that may be used.
   */
  public static Map<String, String> reasons() throws ReflectiveOperationException {
    Map<String, String> reasons = new TreeMap<>();
    Map<String, String> features = new TreeMap<>(OF_REGION_SERVERS);
    features.putAll(OF_OTHERS);
    for (Map.Entry<String, String> feature : features.entrySet()) {
      Object checked = check(feature.getKey(), feature.getValue());
      reasons.put(feature.getKey(), (String) call(checked, "reason"));
    }
    return reasons;
  }

  private static Object call(Object of, String method) throws ReflectiveOperationException {
    return of.getClass().getMethod(method).invoke(of);
  }

  /** Checks by reflection, because each jar has its own copy of the classes. */
  private static Object check(String feature, String module) throws ReflectiveOperationException {
    ClassLoader loader = GuardedFeatures.class.getClassLoader();
    Class<?> ours = Class.forName(MODULES.get(module).get(1), false, loader);
    String common = common(MODULES.get(module).get(0), loader);
    Class<?> status = Class.forName(common + "FeatureStatus", true, loader);
    Object own = status.getMethod("of", String.class, String.class).invoke(null, module, feature);
    Method check =
        Class.forName(common + "guard.GuardedFeature", true, loader)
            .getMethod("check", status, Class.class, String.class, String.class, Supplier.class);
    return check.invoke(null, own, ours, "this release", "hbase.fastpath.unverified", UNSET);
  }

  private static String common(String shaded, ClassLoader loader) {
    String path = shaded.replace('.', '/') + "/shaded/common/FeatureStatus.class";
    return loader.getResource(path) == null ? "org.fastpath.common." : shaded + ".shaded.common.";
  }

  /**
   * Prints the time of the check of each RegionServer feature, and of all. All jars are open and
   * the log is ready before, like in a RegionServer.
   */
  public static void main(String[] args) throws ReflectiveOperationException, IOException {
    LoggerFactory.getLogger(GuardedFeatures.class).info("The log is there before our features");
    // Before, HBase and Hadoop have searched all jars for services.
    Collections.list(GuardedFeatures.class.getClassLoader().getResources("META-INF/services/none"));
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long cpu = threads.getCurrentThreadCpuTime();
    for (Map.Entry<String, String> feature : OF_REGION_SERVERS.entrySet()) {
      long before = threads.getCurrentThreadCpuTime();
      Object checked = check(feature.getKey(), feature.getValue());
      print(feature.getKey(), threads.getCurrentThreadCpuTime() - before);
      if (!(boolean) call(checked, "usable")) {
        throw new IllegalStateException(
            feature.getKey() + " stays off: " + call(checked, "reason"));
      }
    }
    print(ALL, threads.getCurrentThreadCpuTime() - cpu);
  }

  private static void print(String what, long nanos) {
    System.out.println(what + " " + TimeUnit.NANOSECONDS.toMicros(nanos) + MICROS);
  }
}
