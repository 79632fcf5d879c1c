package org.fastpath.metrics;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * The metrics API once more, with publishers of the test's choice: {@link Metrics} chooses its
 * publisher once in the life of its class.
 */
final class IsolatedMetrics extends URLClassLoader {
  private static final String PACKAGE = "org.fastpath.metrics.";
  private static final String SERVICES = "META-INF/services/" + PACKAGE;

  private final Path services;

  private IsolatedMetrics(Path services) {
    super(
        new URL[] {classesOf(Metrics.class), classesOf(IsolatedMetrics.class)},
        IsolatedMetrics.class.getClassLoader());
    this.services = services;
  }

  private static URL classesOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  /** Runs a scenario with only these publishers, in this order, and returns its result. */
  static <T> T call(Path directory, Class<? extends Callable<T>> scenario, List<String> publishers)
      throws Exception {
    Path services = directory.resolve("services");
    Files.deleteIfExists(services);
    if (!publishers.isEmpty()) {
      Files.write(services, publishers);
    }
    try (IsolatedMetrics loader = new IsolatedMetrics(services)) {
      Object isolated = loader.loadClass(scenario.getName()).getDeclaredConstructor().newInstance();
      @SuppressWarnings("unchecked") // the same class but for its loader
      Callable<T> callable = (Callable<T>) isolated;
      return callable.call();
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    if (!name.startsWith(SERVICES)) {
      return super.getResources(name);
    }
    return Files.exists(services)
        ? Collections.enumeration(List.of(services.toUri().toURL()))
        : Collections.emptyEnumeration();
  }
}
