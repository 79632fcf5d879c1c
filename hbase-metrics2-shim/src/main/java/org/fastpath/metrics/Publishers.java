package org.fastpath.metrics;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses an implementation that a class loader offers. */
final class Publishers {
  private static final Logger LOG = LoggerFactory.getLogger(Publishers.class);

  /** An unreadable class path fails again at every step; this ends the search. */
  private static final int MAX_FAILURES = 100;

  private Publishers() {}

  /**
   * Returns the first implementation that can be instantiated, or null. A warning names the other
   * ones; their classes are not initialized. An error names one that cannot be loaded, and the
   * search goes on.
   */
  static <T> T find(Class<T> service, ClassLoader loader) {
    T found = null;
    List<String> losers = new ArrayList<>();
    Iterator<ServiceLoader.Provider<T>> providers =
        ServiceLoader.load(service, loader).stream().iterator();
    for (int failures = 0; failures < MAX_FAILURES; ) {
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
        LOG.error(
            "Metrics: a {} on the classpath cannot be loaded; the next one is tried",
            service.getSimpleName(),
            e);
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
