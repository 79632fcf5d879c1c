package org.fastpath.bench.workloads.hdfs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One side of a comparison: how a client of HDFS is set up.
 *
 * @param id the name in results and in the report
 * @param description what it is, for the report
 * @param conf its configuration, which wins over the cluster's
 * @param jars those of our jars that are in front of its class path, by file name
 */
record ClientSide(String id, String description, Map<String, String> conf, List<String> jars) {
  static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";

  /** A stock client. */
  static ClientSide stock(String id, String description, Map<String, String> conf) {
    return new ClientSide(id, description, conf, List.of());
  }

  /** The same with more configuration, which wins, and other jars. */
  ClientSide with(
      String newId, String newDescription, Map<String, String> more, List<String> newJars) {
    Map<String, String> all = new LinkedHashMap<>(conf);
    all.putAll(more);
    return new ClientSide(newId, newDescription, all, newJars);
  }
}
