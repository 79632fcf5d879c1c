package org.fastpath.zcr.pin;

import java.util.Arrays;
import java.util.Optional;

/** What an operator wants for the store files of a table or column family. */
enum PinPolicy {
  /** Always in the memory of DataNodes, before all files that are not. */
  ALWAYS,
  /** There if they are read more than others. */
  AUTO,
  /** Never there. */
  NEVER;

  /** The attribute of a table or column family. */
  static final String ATTRIBUTE = "FASTPATH_HDFS_CACHE";

  /** The policy of that name, in any case; empty if there is none. */
  static Optional<PinPolicy> of(String name) {
    return Arrays.stream(values())
        .filter(policy -> policy.name().equalsIgnoreCase(name.trim()))
        .findAny();
  }
}
