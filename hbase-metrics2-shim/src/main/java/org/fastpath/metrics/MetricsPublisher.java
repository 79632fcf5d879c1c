package org.fastpath.metrics;

/**
 * Shows sources outside of the process. {@link java.util.ServiceLoader} finds the implementations.
 * The first one on the classpath that can be loaded is used. One warning names the others, which
 * are not instantiated. Any thread may call the methods.
 */
public interface MetricsPublisher {
  /**
   * Shows a source from now on.
   *
   * @throws RuntimeException if it cannot; the module goes on without this source
   */
  void publish(PublishedSource source);

  /** Stops showing a source. */
  void withdraw(PublishedSource source);
}
