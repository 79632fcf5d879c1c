package org.fastpath.cluster;

import java.util.List;

/**
 * Flags that HBase needs of a JVM of version 17 or newer; without them a RegionServer does not
 * start.
 */
public final class JvmFlags {
  private static final List<String> HBASE =
      List.of(
          "--add-modules=jdk.unsupported",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED",
          "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true");

  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private JvmFlags() {}

  /** What {@code bin/hbase} passes. */
  public static List<String> forHBase() {
    return HBASE;
  }

  /** Least work at the start, by the compiler and the collector of garbage. */
  static List<String> quickStart() {
    return QUICK_START;
  }
}
