package org.fastpath.zcr;

/**
 * An object that belongs to a mapping, of code that knows the content of the mapped bytes. A reader
 * that has pinned the mapping may use it; it ends with the mapping.
 */
public interface Companion {
  /** The mapping is unmapped and nobody uses this any more. Called once. */
  void unmapped();
}
