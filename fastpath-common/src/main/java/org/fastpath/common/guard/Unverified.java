package org.fastpath.common.guard;

import java.util.Locale;

/** Says whether a feature may run on code that was not verified: the value of a key. */
public enum Unverified {
  /** The feature stays off, and stock behaviour is in its place. */
  REFUSE,
  /** The feature runs if everything is there that it uses. */
  ALLOW;

  /** For RegionServers and HMasters. */
  public static final String HBASE_KEY = "hbase.fastpath.unverified";

  /** For DataNodes, NameNodes and clients of HDFS. */
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
