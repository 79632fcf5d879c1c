package org.fastpath.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How one daemon (or one client process) differs from a stock one. Not thread-safe; filled by the
 * caller before the process starts.
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

  /** Puts jars or directories in front of the stock jars, behind earlier calls' ones. */
  public DaemonOptions prependToClasspath(Path... entries) {
    return prependToClasspath(List.of(entries));
  }

  /** Puts jars or directories in front of the stock jars, behind earlier calls' ones. */
  public DaemonOptions prependToClasspath(List<Path> entries) {
    for (Path entry : entries) {
      classpath.add(entry.toAbsolutePath().normalize());
    }
    return this;
  }

  /** Sets a configuration key for this process only; it wins over the cluster's. */
  public DaemonOptions conf(String key, String value) {
    conf.put(key, value);
    return this;
  }

  /** Sets configuration keys for this process only; they win over the cluster's. */
  public DaemonOptions conf(Map<String, String> values) {
    conf.putAll(values);
    return this;
  }

  /** Adds JVM flags behind the ones that HBase needs on a modern JVM. */
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
   * For a process that lives for a minute and on which nothing is measured: it starts with half the
   * CPU time, and never becomes as fast as others do.
   */
  public DaemonOptions quickStart() {
    jvmFlags.addAll(JvmFlags.quickStart());
    return this;
  }

  /** Whether the process finds libhadoop; when not called, the cluster's choice holds. */
  public DaemonOptions libhadoop(boolean present) {
    libhadoop = present;
    return this;
  }

  /** The maximum heap, as after {@code -Xmx}: "512m", "2g". */
  public DaemonOptions heap(String size) {
    Sizes.parse(size);
    heap = size;
    return this;
  }

  /**
   * Lets a DataNode use {@code dfs.datanode.max.locked.memory} although {@code ulimit -l} is small:
   * its start-up check is told that there is no limit. Locking stays real and needs the right to.
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
