package org.fastpath.cluster;

import java.util.List;

/** JVM flags that HBase needs on Java 17 or newer. Without them a RegionServer does not start. */
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

  /** Returns the flags of {@code bin/hbase}. */
  public static List<String> forHBase() {
    return HBASE;
  }

  /** Returns flags for the least work of compiler and garbage collector at the start. */
  static List<String> quickStart() {
    return QUICK_START;
  }
}
