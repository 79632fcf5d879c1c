package org.fastpath.bench.workloads.hdfs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One side of a comparison: the set-up of an HDFS client.
 *
 * @param id the name in results and in the report
 * @param description the description for the report
 * @param conf its configuration, which overrides the cluster's
 * @param jars file names of our jars that are before its class path
 */
record ClientSide(String id, String description, Map<String, String> conf, List<String> jars) {
  static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";

  /** Returns a stock client. */
  static ClientSide stock(String id, String description, Map<String, String> conf) {
    return new ClientSide(id, description, conf, List.of());
  }

  /** Returns this side with other jars and more configuration, which overrides this one. */
  ClientSide with(
      String newId, String newDescription, Map<String, String> more, List<String> newJars) {
    Map<String, String> all = new LinkedHashMap<>(conf);
    all.putAll(more);
    return new ClientSide(newId, newDescription, all, newJars);
  }
}
