package org.fastpath.common.guard;

import java.util.zip.CRC32;

/** Finds class files. */
@FunctionalInterface
public interface ClassSource {
  /**
   * Returns the bytes of a class file, or null if there is none.
   *
   * @param name the internal name, such as {@code org/apache/hadoop/hbase/regionserver/HStore}
   */
  byte[] find(String name);

  /** Returns the CRC-32 of a class file, as a jar's directory holds it; 0 if there is none. */
  default long crc(String name) {
    byte[] bytes = find(name);
    if (bytes == null) {
      return 0;
    }
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }
}
