package org.fastpath.tiered.datanode;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.apache.commons.lang3.EnumUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.fastpath.tiered.InvalidValueException;

/**
 * The storage types on which a DataNode gives the kernel advice about the page cache. Immutable.
 *
 * @param writeBehind types on which {@code dfs.datanode.sync.behind.writes} applies
 * @param dropBehind types on which {@code dfs.datanode.drop.cache.behind.writes} and {@code
 *     ….reads}, and a client's request, apply
 */
record KernelAdvice(Set<StorageType> writeBehind, Set<StorageType> dropBehind) {
  static final String WRITE_BEHIND_TYPES = "dfs.fastpath.write-behind.types";
  static final String DROP_BEHIND_TYPES = "dfs.fastpath.drop-behind.types";

  private static final String ALL = "*";

  /**
   * Reads and checks the keys.
   *
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  static KernelAdvice of(Configuration conf) {
    return new KernelAdvice(types(conf, WRITE_BEHIND_TYPES), types(conf, DROP_BEHIND_TYPES));
  }

  private static Set<StorageType> types(Configuration conf, String key) {
    String value = conf.getTrimmed(key, ALL);
    if (value.equals(ALL)) {
      return Collections.unmodifiableSet(EnumSet.allOf(StorageType.class));
    }
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (String name : value.split(",", -1)) {
      StorageType type = EnumUtils.getEnumIgnoreCase(StorageType.class, name.trim());
      if (type == null) {
        throw new InvalidValueException(
            key, value, ALL + " or any of " + Arrays.toString(StorageType.values()));
      }
      types.add(type);
    }
    return Collections.unmodifiableSet(types);
  }
}
