package org.fastpath.offheap.reader;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.region.MasterRegionFactory;

/**
 * The checked options of the reader for a server or a store. Those of a store include the
 * attributes of its table and its family.
 *
 * @param enabled whether the off-heap reader reads files
 * @param systemTables whether it reads those of system tables too
 */
public record ReaderOptions(boolean enabled, boolean systemTables) {
  public static final String ENABLED = "hbase.fastpath.offheap-reader.enabled";
  public static final String SYSTEM_TABLES = "hbase.fastpath.offheap-reader.system-tables";

  /**
   * Reads the options.
   *
   * @throws ReaderConfigurationException (an IllegalArgumentException) naming the key, its value
   *     and the allowed values
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

  /**
   * Returns whether the reader reads the files of a table. It never reads those that an HMaster
   * keeps.
   */
  public boolean reads(TableName table) {
    return enabled
        && (systemTables || !table.isSystemTable())
        && !table.equals(MasterRegionFactory.TABLE_NAME);
  }
}
