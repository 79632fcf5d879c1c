package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.fastpath.zcr.pin.CachedBytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The balancer of each version of HBase, with ours in it. In 2.6.1 and 2.5.13 candidates have
 * another form, and moves are HBase's random ones.
 */
class OtherVersionsTest {

  /** The work in each version. */
  public static final class Scenario implements Callable<String> {
    /** For {@link #balancesAndAssigns}. */
    public Scenario() {}

    @Override
    public String call() throws Exception {
      PlacedRegions regions = new PlacedRegions(3, 4);
      CachedBytes cached = regions.cachedFurther(1);
      KnownCostFunction.know(cached);
      KnownLoadBalancer balancer =
          PlacedRegions.start(new KnownLoadBalancer(), KnownCostFunction.class);
      balancer.know(cached);
      regions.balance(balancer);
      long opened =
          balancer
              .roundRobinAssignment(
                  regions.placed().values().stream().flatMap(own -> own.stream()).toList(),
                  regions.servers())
              .entrySet()
              .stream()
              .filter(entry -> entry.getValue().containsAll(regions.placed().get(entry.getKey())))
              .count();
      return regions.beside(cached) + " regions moved, " + opened + " servers opened theirs";
    }
  }

  /** Loads the classes of HMasters, and ours, apart. */
  private static final class MasterLoader extends URLClassLoader {
    MasterLoader(URL... urls) {
      super(urls, OtherVersionsTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null && name.startsWith("org.apache.hadoop.hbase.master.")) {
          try {
            return findClass(name);
          } catch (ClassNotFoundException e) {
            // One of another jar, the same for all versions.
          }
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.6.4-hadoop3", "2.6.1-hadoop3", "2.5.13-hadoop3"})
  void balancesAndAssigns(String version) throws Exception {
    try (MasterLoader loader =
        new MasterLoader(
            url("target/upstream/hbase-server-" + version + ".jar"),
            url("target/classes/"),
            url("target/test-classes/"))) {
      Class<?> scenario = loader.loadClass(Scenario.class.getName());
      assertThat(scenario).isNotSameAs(Scenario.class);
      Object done = ((Callable<?>) scenario.getDeclaredConstructor().newInstance()).call();
      assertThat(done).isEqualTo("12 regions moved, 3 servers opened theirs");
    }
  }

  private static URL url(String path) throws IOException {
    return Path.of(path).toUri().toURL();
  }
}
