package org.fastpath.metrics;

/** A source or pseudo-source that is shown until it is closed. */
public interface Registration extends AutoCloseable {
  /**
   * Removes the source. Its metrics may still be updated, but nothing shows them. Closing twice
   * does nothing.
   */
  @Override
  void close();
}
