package org.fastpath.metrics.hadoop;

/**
 * What a source is called in Metrics2, for those who read it there: documentation, dashboards,
 * tests.
 */
public final class HadoopNames {
  private static final String RECORD_PREFIX = "Fastpath";

  private HadoopNames() {}

  /**
   * The name of a source's records, which metrics in Prometheus begin with. The prefix keeps it
   * apart from records of HBase and HDFS.
   */
  public static String record(String source) {
    return source.startsWith(RECORD_PREFIX) ? source : RECORD_PREFIX + source;
  }

  /** The bean of a source in a RegionServer. */
  public static String regionServerBean(String source) {
    return bean("HBase", ProcessRole.REGION_SERVER, source);
  }

  /** The bean of a source in an HMaster. */
  public static String masterBean(String source) {
    return bean("HBase", ProcessRole.MASTER, source);
  }

  /** The bean of a source in a DataNode. */
  public static String dataNodeBean(String source) {
    return bean("DataNode", ProcessRole.DATA_NODE, source);
  }

  /** The bean of a source in a client that shows our metrics by itself. */
  public static String clientBean(String source) {
    return bean(HadoopMetricsPublisher.CLIENT_SYSTEM, ProcessRole.CLIENT, source);
  }

  /** The service is the prefix that the process gives to its metrics system. */
  private static String bean(String service, ProcessRole role, String source) {
    return "Hadoop:service=" + service + ",name=" + role.sourceName(source);
  }
}
