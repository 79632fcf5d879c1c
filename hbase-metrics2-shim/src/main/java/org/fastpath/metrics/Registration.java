package org.fastpath.metrics;

/** A source or pseudo-source that is shown until it is closed. */
public interface Registration extends AutoCloseable {
  /**
   * Takes the source away. Its metrics may still be updated, to no effect on what is shown. Closing
   * twice does nothing.
   */
  @Override
  void close();
}
