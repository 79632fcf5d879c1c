package org.fastpath.zcr.pin;

import java.util.Arrays;
import java.util.Optional;

/** The operator's policy for the store files of a table or column family. */
enum PinPolicy {
  /** Always in the memory of DataNodes, before all other files. */
  ALWAYS,
  /** In memory if they are read more than others. */
  AUTO,
  /** Never in memory. */
  NEVER;

  /** The attribute of a table or column family. */
  static final String ATTRIBUTE = "FASTPATH_HDFS_CACHE";

  /** Returns the policy of that name, ignoring case; empty if there is none. */
  static Optional<PinPolicy> of(String name) {
    return Arrays.stream(values())
        .filter(policy -> policy.name().equalsIgnoreCase(name.trim()))
        .findAny();
  }
}
