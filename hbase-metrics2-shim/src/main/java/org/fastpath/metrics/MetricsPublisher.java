package org.fastpath.metrics;

/**
 * Shows sources to the world. Found by {@link java.util.ServiceLoader}: the first on the classpath
 * that can be loaded is used, the others are named in one warning and not instantiated. Its methods
 * may be called by any thread.
 */
public interface MetricsPublisher {
  /**
   * Shows a source from now on.
   *
   * @throws RuntimeException when it cannot; the module goes on without being seen
   */
  void publish(PublishedSource source);

  /** Shows it no longer. */
  void withdraw(PublishedSource source);
}
