package org.fastpath.offheap.inline;

import org.apache.hadoop.conf.Configuration;

/**
 * The checked limits of inline reads.
 *
 * @param enabled whether the event loop answers gets and scans
 * @param maxCells the most cells of a get that it answers
 * @param maxBytes the most bytes of these cells
 * @param maxScanCells the most cells of a scan's request that it answers
 * @param maxScanBytes the most bytes of these cells
 */
public record InlineOptions(
    boolean enabled, int maxCells, int maxBytes, int maxScanCells, int maxScanBytes) {
  public static final String ENABLED = "hbase.fastpath.inline-reads.enabled";
  public static final String MAX_CELLS = "hbase.fastpath.inline-reads.max-cells";
  public static final String MAX_BYTES = "hbase.fastpath.inline-reads.max-bytes";
  public static final String MAX_SCAN_CELLS = "hbase.fastpath.inline-reads.max-scan-cells";
  public static final String MAX_SCAN_BYTES = "hbase.fastpath.inline-reads.max-scan-bytes";

  private static final int DEFAULT_CELLS = 100;
  private static final int DEFAULT_BYTES = 64 * 1024;
  private static final int DEFAULT_SCAN_CELLS = 1000;
  private static final int DEFAULT_SCAN_BYTES = 256 * 1024;
  private static final int HIGHEST_CELLS = 10_000;
  private static final int HIGHEST_BYTES = 1024 * 1024;

  /**
   * Reads the options.
   *
   * @throws IllegalArgumentException naming the key, its value and the allowed values
   */
  public static InlineOptions of(Configuration conf) {
    String enabled = conf.getTrimmed(ENABLED, "false");
    if (!enabled.equals("true") && !enabled.equals("false")) {
      throw new IllegalArgumentException(ENABLED + " is " + enabled + ", allowed is true or false");
    }
    return new InlineOptions(
        enabled.equals("true"),
        number(conf, MAX_CELLS, DEFAULT_CELLS, HIGHEST_CELLS),
        number(conf, MAX_BYTES, DEFAULT_BYTES, HIGHEST_BYTES),
        number(conf, MAX_SCAN_CELLS, DEFAULT_SCAN_CELLS, HIGHEST_CELLS),
        number(conf, MAX_SCAN_BYTES, DEFAULT_SCAN_BYTES, HIGHEST_BYTES));
  }

  private static int number(Configuration conf, String key, int otherwise, int most) {
    String value = conf.getTrimmed(key, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The exception below reports the value.
    }
    throw new IllegalArgumentException(
        key + " is " + value + ", allowed is a number from 1 to " + most);
  }
}
