package org.fastpath.common.guard;

/** Finds class files. */
@FunctionalInterface
public interface ClassSource {
  /**
   * Returns the bytes of a class file, or null if there is none.
   *
   * @param name the internal name, such as {@code org/apache/hadoop/hbase/regionserver/HStore}
   */
  byte[] find(String name);
}
