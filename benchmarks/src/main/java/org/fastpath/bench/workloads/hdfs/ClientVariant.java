package org.fastpath.bench.workloads.hdfs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One variant of a comparison: the set-up of an HDFS client.
 *
 * @param id the name in results and in the report
 * @param description the description for the report
 * @param conf its configuration, which overrides the cluster's
 * @param jars file names of our jars that are before its class path
 */
record ClientVariant(String id, String description, Map<String, String> conf, List<String> jars) {
  static final String SHORT_CIRCUIT = "dfs.client.read.shortcircuit";

  /** Returns a stock client. */
  static ClientVariant stock(String id, String description, Map<String, String> conf) {
    return new ClientVariant(id, description, conf, List.of());
  }

  /** Returns this variant with other jars and more configuration, which overrides this one. */
  ClientVariant with(
      String newId, String newDescription, Map<String, String> more, List<String> newJars) {
    Map<String, String> all = new LinkedHashMap<>(conf);
    all.putAll(more);
    return new ClientVariant(newId, newDescription, all, newJars);
  }
}
