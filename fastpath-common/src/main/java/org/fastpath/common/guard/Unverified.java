package org.fastpath.common.guard;

import java.util.Locale;

/** The value of the key that allows a feature to run on unverified code. */
public enum Unverified {
  /** The feature stays off, and stock behaviour is in its place. */
  REFUSE,
  /** The feature runs if all members that it uses exist. */
  ALLOW;

  /** The key of RegionServers and HMasters. */
  public static final String HBASE_KEY = "hbase.fastpath.unverified";

  /** The key of DataNodes, NameNodes and clients of HDFS. */
  public static final String HDFS_KEY = "dfs.fastpath.unverified";

  /**
   * Reads the value of a key.
   *
   * @param value null stands for the default, {@code refuse}
   * @throws IllegalArgumentException naming the key, the value and the allowed values
   */
  public static Unverified of(String key, String value) {
    String word = value == null ? "refuse" : value.strip();
    for (Unverified each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
        return each;
      }
    }
    throw new IllegalArgumentException(key + " is '" + value + "'; allowed are: refuse, allow");
  }
}
