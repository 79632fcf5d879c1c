package org.fastpath.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The differences of one daemon or client process from a stock one. Not thread-safe. The caller
 * fills it before the process starts.
 */
public final class DaemonOptions {
  private final List<Path> classpath = new ArrayList<>();
  private final Map<String, String> conf = new LinkedHashMap<>();
  private final List<String> jvmFlags = new ArrayList<>();
  private final Map<String, String> environment = new LinkedHashMap<>();
  private Boolean libhadoop;
  private String heap;
  private boolean memlock;

  DaemonOptions() {}

  DaemonOptions(DaemonOptions other) {
    classpath.addAll(other.classpath);
    conf.putAll(other.conf);
    jvmFlags.addAll(other.jvmFlags);
    environment.putAll(other.environment);
    libhadoop = other.libhadoop;
    heap = other.heap;
    memlock = other.memlock;
  }

  /** Puts jars or directories in front of the stock jars, after those of earlier calls. */
  public DaemonOptions prependToClasspath(Path... entries) {
    return prependToClasspath(List.of(entries));
  }

  /** Puts jars or directories in front of the stock jars, after those of earlier calls. */
  public DaemonOptions prependToClasspath(List<Path> entries) {
    for (Path entry : entries) {
      classpath.add(entry.toAbsolutePath().normalize());
    }
    return this;
  }

  /** Sets a configuration key for this process only; it overrides the cluster's. */
  public DaemonOptions conf(String key, String value) {
    conf.put(key, value);
    return this;
  }

  /** Sets configuration keys for this process only; they override the cluster's. */
  public DaemonOptions conf(Map<String, String> values) {
    conf.putAll(values);
    return this;
  }

  /** Adds JVM flags after those that HBase needs on a modern JVM. */
  public DaemonOptions jvmFlags(String... flags) {
    jvmFlags.addAll(List.of(flags));
    return this;
  }

  /** Sets environment variables, as {@code hbase-env.sh} does. */
  public DaemonOptions environment(Map<String, String> variables) {
    environment.putAll(variables);
    return this;
  }

  /**
   * Configures a process that lives for a minute and on which nothing is measured. It starts with
   * half the CPU time and never becomes as fast as others.
   */
  public DaemonOptions quickStart() {
    jvmFlags.addAll(JvmFlags.quickStart());
    return this;
  }

  /** Sets whether the process finds libhadoop; by default like the cluster. */
  public DaemonOptions libhadoop(boolean present) {
    libhadoop = present;
    return this;
  }

  /** Sets the maximum heap, in the form of {@code -Xmx}: "512m", "2g". */
  public DaemonOptions heap(String size) {
    Sizes.parse(size);
    heap = size;
    return this;
  }

  /**
   * Lets a DataNode use {@code dfs.datanode.max.locked.memory} with a small {@code ulimit -l}: its
   * start-up check sees no limit. Locking stays real and needs the permission.
   */
  public DaemonOptions memlock(boolean unlimited) {
    memlock = unlimited;
    return this;
  }

  List<Path> classpath() {
    return classpath;
  }

  Map<String, String> conf() {
    return conf;
  }

  List<String> jvmFlags() {
    return jvmFlags;
  }

  Map<String, String> environment() {
    return environment;
  }

  boolean libhadoopOr(boolean byDefault) {
    return libhadoop == null ? byDefault : libhadoop;
  }

  String heapOr(String byDefault) {
    return heap == null ? byDefault : heap;
  }

  boolean memlock() {
    return memlock;
  }
}
