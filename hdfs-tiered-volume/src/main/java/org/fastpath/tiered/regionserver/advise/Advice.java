package org.fastpath.tiered.regionserver.advise;

/**
 * One line of a configuration.
 *
 * @param file the site file of the key
 * @param reason of the value
 */
record Advice(String file, String key, String value, String reason) {
  static final String HBASE = "hbase-site.xml";
  static final String HDFS = "hdfs-site.xml";

  static Advice hbase(String key, Object value, String reason) {
    return new Advice(HBASE, key, String.valueOf(value), reason);
  }

  static Advice hdfs(String key, Object value, String reason) {
    return new Advice(HDFS, key, String.valueOf(value), reason);
  }
}
