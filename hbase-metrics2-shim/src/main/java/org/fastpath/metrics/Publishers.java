package org.fastpath.metrics;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses among the implementations that a class loader offers. */
final class Publishers {
  private static final Logger LOG = LoggerFactory.getLogger(Publishers.class);

  /** A class path that cannot be read fails without end. */
  private static final int MOST_FAILURES = 100;

  private Publishers() {}

  /**
   * The first that can be instantiated, or null. The losers are named in a warning; their classes
   * are not initialized. One that cannot be loaded is named in an error, and the next is tried.
   */
  static <T> T find(Class<T> service, ClassLoader loader) {
    T found = null;
    List<String> losers = new ArrayList<>();
    Iterator<ServiceLoader.Provider<T>> providers =
        ServiceLoader.load(service, loader).stream().iterator();
    for (int failures = 0; failures < MOST_FAILURES; ) {
      try {
        if (!providers.hasNext()) {
          break;
        }
        ServiceLoader.Provider<T> provider = providers.next();
        if (found == null) {
          found = provider.get();
        } else {
          losers.add(provider.type().getName());
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        failures++;
        LOG.error("Metrics: a {} cannot be loaded and is passed over", service.getSimpleName(), e);
      }
    }
    if (!losers.isEmpty()) {
      LOG.warn(
          "Metrics: {} is used, and not {}: the first on the classpath wins",
          found.getClass().getName(),
          losers);
    }
    return found;
  }
}
