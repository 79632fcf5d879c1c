package org.fastpath.offheap.reader;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.region.MasterRegionFactory;

/**
 * What the configuration of a server, or of a store, says about the reader, checked. That of a
 * store includes what its table and its family say.
 *
 * @param enabled whether files are read by it
 * @param systemTables whether those of system tables are too
 */
public record ReaderOptions(boolean enabled, boolean systemTables) {
  public static final String ENABLED = "hbase.fastpath.offheap-reader.enabled";
  public static final String SYSTEM_TABLES = "hbase.fastpath.offheap-reader.system-tables";

  /**
   * Reads them.
   *
   * @throws ReaderConfigurationException (an IllegalArgumentException) naming the key, its value
   *     and what is allowed
   */
  public static ReaderOptions of(Configuration conf) {
    return new ReaderOptions(flag(conf, ENABLED, "true"), flag(conf, SYSTEM_TABLES, "false"));
  }

  private static boolean flag(Configuration conf, String key, String otherwise) {
    String value = conf.getTrimmed(key, otherwise);
    if (!value.equals("true") && !value.equals("false")) {
      throw new ReaderConfigurationException(key + " is " + value + ", allowed is true or false");
    }
    return value.equals("true");
  }

  /** Whether the files of a table are read by it; those that an HMaster keeps never are. */
  public boolean reads(TableName table) {
    return enabled
        && (systemTables || !table.isSystemTable())
        && !table.equals(MasterRegionFactory.TABLE_NAME);
  }
}
