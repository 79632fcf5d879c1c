package org.fastpath.metrics.hadoop;

/** Gives the names of a source in Metrics2, as documentation, dashboards and tests need them. */
public final class HadoopNames {
  private static final String RECORD_PREFIX = "Fastpath";

  private HadoopNames() {}

  /**
   * Returns the name of a source's records. Metrics in Prometheus begin with it. The prefix
   * distinguishes it from records of HBase and HDFS.
   */
  public static String record(String source) {
    return source.startsWith(RECORD_PREFIX) ? source : RECORD_PREFIX + source;
  }

  /** Returns the bean of a source in a RegionServer. */
  public static String regionServerBean(String source) {
    return bean("HBase", ProcessRole.REGION_SERVER, source);
  }

  /** Returns the bean of a source in an HMaster. */
  public static String masterBean(String source) {
    return bean("HBase", ProcessRole.MASTER, source);
  }

  /** Returns the bean of a source in a DataNode. */
  public static String dataNodeBean(String source) {
    return bean("DataNode", ProcessRole.DATA_NODE, source);
  }

  /** Returns the bean of a source in a client that shows our metrics. */
  public static String clientBean(String source) {
    return bean(HadoopMetricsPublisher.CLIENT_SYSTEM, ProcessRole.CLIENT, source);
  }

  /** Returns the bean. The service is the prefix that the process gives to its metrics system. */
  private static String bean(String service, ProcessRole role, String source) {
    return "Hadoop:service=" + service + ",name=" + role.sourceName(source);
  }
}
