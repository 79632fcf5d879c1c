package org.fastpath.zcr;

/**
 * What is kept beside a mapping, by code that knows what the mapped bytes are. A reader that has
 * pinned the mapping may use it; it ends with the mapping.
 */
public interface Companion {
  /** The mapping is unmapped and nobody uses this any more. Called once. */
  void unmapped();
}
