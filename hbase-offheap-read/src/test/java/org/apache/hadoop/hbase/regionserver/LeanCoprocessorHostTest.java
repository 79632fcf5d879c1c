package org.apache.hadoop.hbase.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares calls of coprocessors with those of HBase's own host. Public for compiled observers. */
public class LeanCoprocessorHostTest {
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  /** The hooks that ran, by name. */
  private static final List<String> CALLS = new ArrayList<>();

  /** The number of times that HBase asked a coprocessor for its observer. */
  private static final AtomicInteger ASKED = new AtomicInteger();

  /** A change of each kind, by a value and by a filter. HBase has a hook for each. */
  private static final List<CheckAndMutate> CHECKS = checks();

  @TempDir private Path directory;

  private LocalRegions regions;
  private HRegion region;

  @BeforeEach
  void open() throws IOException {
    regions = new LocalRegions(directory.resolve("data"));
    region = regions.createWithRows(LocalRegions.table("table").build(), 10);
  }

  @AfterEach
  void close() throws IOException {
    regions.close();
  }

  private static List<CheckAndMutate> checks() {
    Put put = new Put(LocalRegions.row(1)).addColumn(LocalRegions.FAMILY, QUALIFIER, QUALIFIER);
    Delete delete = new Delete(LocalRegions.row(1));
    List<CheckAndMutate> checks = new ArrayList<>();
    for (CheckAndMutate.Builder each :
        List.of(
            CheckAndMutate.newBuilder(LocalRegions.row(1))
                .ifEquals(LocalRegions.FAMILY, QUALIFIER, QUALIFIER),
            CheckAndMutate.newBuilder(LocalRegions.row(1)).ifMatches(new FirstKeyOnlyFilter()))) {
      checks.add(each.build(put));
      checks.add(each.build(delete));
    }
    return checks;
  }

  /** Called by generated coprocessors. */
  public static void called(String hook) {
    CALLS.add(hook);
  }

  /** Observes nothing. */
  public static class SeesNothing implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      ASKED.incrementAndGet();
      return Optional.of(this);
    }
  }

  /** Has an observer only after a while. */
  public static final class SeesLater extends SeesNothing {
    private boolean ready;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      super.getRegionObserver();
      return ready ? Optional.of(this) : Optional.empty();
    }
  }

  /** Observes rows that a filter drops. */
  public static final class SeesFilteredRows extends SeesNothing {
    @Override
    public boolean postScannerFilterRow(
        ObserverContext<RegionCoprocessorEnvironment> context,
        InternalScanner scanner,
        Cell row,
        boolean more) {
      called("postScannerFilterRow");
      return more;
    }
  }

  private RegionCoprocessorHost stock(Class<?>... coprocessors) throws IOException {
    RegionCoprocessorHost host =
        new RegionCoprocessorHost(region, null, new Configuration(regions.conf()));
    for (Class<?> each : coprocessors) {
      host.load(each.asSubclass(RegionCoprocessor.class), 1, regions.conf());
    }
    return host;
  }

  private RegionCoprocessorHost lean(RegionCoprocessorHost stock) {
    region.setCoprocessorHost(stock);
    LeanCoprocessorHost.install(region, regions.conf());
    assertThat(region.getCoprocessorHost()).isInstanceOf(LeanCoprocessorHost.class);
    return region.getCoprocessorHost();
  }

  /** Of all methods of an observer, also those that are no hooks here. */
  @Test
  void eachMethodRunsAsOnHBasesHost() throws IOException, ReflectiveOperationException {
    List<Method> methods =
        Arrays.stream(RegionObserver.class.getMethods())
            .filter(method -> method.getParameterTypes()[0] == ObserverContext.class)
            // HBase looks for this one only when it loads configured coprocessors.
            .filter(method -> !isHook(method, ObserverHook.POST_SCANNER_FILTER_ROW))
            .toList();
    List<Class<?>> observers = observing(methods);
    for (int i = 0; i < methods.size(); i++) {
      Method method = methods.get(i);
      RegionCoprocessorHost stock = stock(observers.get(i));
      List<Object> expectedResults = new ArrayList<>();
      List<String> expected = callAll(stock, expectedResults);
      List<Object> results = new ArrayList<>();
      assertThat(callAll(lean(stock), results)).as(method.toString()).isEqualTo(expected);
      assertThat(results).as(method.toString()).isEqualTo(expectedResults);
      boolean hook = Arrays.stream(ObserverHook.values()).anyMatch(each -> isHook(method, each));
      assertThat(Set.copyOf(expected)).as(method.toString()).hasSize(hook ? 1 : 0);
    }
  }

  private static boolean isHook(Method method, ObserverHook hook) {
    return hook.methods().contains(method.getName());
  }

  @Test
  void filteredRowsAreSeen() throws IOException, ReflectiveOperationException {
    Configuration conf = new Configuration(regions.conf());
    conf.set(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, SeesFilteredRows.class.getName());
    RegionCoprocessorHost stock = new RegionCoprocessorHost(region, null, conf);
    assertThat(callAll(stock)).hasSize(1);
    assertThat(callAll(lean(stock))).hasSize(1);
  }

  @Test
  void whatNobodyObservesIsNotCalled() throws IOException {
    RegionCoprocessorHost stock = stock(SeesNothing.class);
    region.setCoprocessorHost(stock);
    assertThat(askedByRequests()).isGreaterThan(40);
    lean(stock);
    region.get(new Get(LocalRegions.row(1)));
    assertThat(askedByRequests()).isZero();
  }

  private int askedByRequests() throws IOException {
    int before = ASKED.get();
    region.get(new Get(LocalRegions.row(1)));
    region.put(new Put(LocalRegions.row(1)).addColumn(LocalRegions.FAMILY, QUALIFIER, QUALIFIER));
    region.delete(new Delete(LocalRegions.row(2)));
    region.delete(new Delete(LocalRegions.row(4)).addColumn(LocalRegions.FAMILY, QUALIFIER));
    region.append(
        new Append(LocalRegions.row(3)).addColumn(LocalRegions.FAMILY, QUALIFIER, QUALIFIER));
    region.increment(
        new Increment(LocalRegions.row(3)).addColumn(LocalRegions.FAMILY, Bytes.toBytes("n"), 1));
    for (CheckAndMutate check : CHECKS) {
      region.checkAndMutate(check);
    }
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      while (scanner.next(new ArrayList<>())) {
        // Reads all rows.
      }
    }
    return ASKED.get() - before;
  }

  @Test
  void anObserverThatMayComeLaterHasAllHooks() throws IOException {
    lean(stock(SeesLater.class));
    assertThat(askedByRequests()).isGreaterThan(40);
  }

  @Test
  void coprocessorsThatAreLoadedLaterAreSeen() throws IOException, ReflectiveOperationException {
    RegionCoprocessorHost host = lean(stock(SeesNothing.class));
    assertThat(callAll(host)).isEmpty();
    Method postGet =
        RegionObserver.class.getMethod("postGetOp", ObserverContext.class, Get.class, List.class);
    Class<?> observer = observing(List.of(postGet)).get(0);
    host.load(observer.asSubclass(RegionCoprocessor.class), 1, regions.conf());
    assertThat(callAll(host)).containsExactly("postGetOp");
    assertThat(host.findCoprocessors(RegionCoprocessor.class)).hasSize(2);
  }

  @Test
  void aChangedConfigurationLoadsCoprocessorsAgain() throws IOException {
    OffHeapReadRegion own =
        new OffHeapReadRegion(
            regions.root(),
            null,
            regions.root().getFileSystem(regions.conf()),
            regions.conf(),
            region.getRegionInfo(),
            region.getTableDescriptor(),
            null);
    own.setCoprocessorHost(stock());
    Configuration changed = new Configuration(regions.conf());
    changed.set(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, SeesNothing.class.getName());
    own.onConfigurationChange(changed);
    assertThat(own.getCoprocessorHost()).isInstanceOf(LeanCoprocessorHost.class);
    assertThat(own.getCoprocessorHost().getCoprocessors()).containsExactly("SeesNothing");
  }

  private List<String> callAll(RegionCoprocessorHost host) throws ReflectiveOperationException {
    return callAll(host, new ArrayList<>());
  }

  /**
   * Calls all hooks of a host that {@link LeanCoprocessorHost} overrides; returns those that ran.
   *
   * @param results the results that can be compared are added
   */
  private List<String> callAll(RegionCoprocessorHost host, List<Object> results)
      throws ReflectiveOperationException {
    CALLS.clear();
    for (Method method :
        Arrays.stream(LeanCoprocessorHost.class.getDeclaredMethods())
            .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
            .sorted(Comparator.comparing(Method::getName))
            .toList()) {
      Class<?>[] types = method.getParameterTypes();
      Method own = RegionCoprocessorHost.class.getMethod(method.getName(), types);
      List<CheckAndMutate> checks =
          List.of(types).contains(CheckAndMutate.class) ? CHECKS : CHECKS.subList(0, 1);
      for (CheckAndMutate check : checks) {
        Object result =
            own.invoke(
                host,
                Arrays.stream(types)
                    .map(type -> argument(method.getName().endsWith("BeforeWAL"), type, check))
                    .toArray());
        // A lean get may answer; a scan's properties have no equality.
        if (!method.getName().equals("preGet") && !(result instanceof ScanInfo)) {
          results.add(method.getName() + " returns " + result);
        }
      }
    }
    return List.copyOf(CALLS);
  }

  private Object argument(boolean beforeWal, Class<?> type, CheckAndMutate check) {
    if (type == CheckAndMutate.class) {
      return check;
    }
    if (type == List.class && beforeWal) {
      return List.of(new Pair<Cell, Cell>(null, null));
    }
    if (type == HStore.class) {
      return region.getStore(LocalRegions.FAMILY);
    }
    if (type == Scan.class) {
      return new Scan();
    }
    if (type == Get.class) {
      return new Get(LocalRegions.row(1));
    }
    if (type == Put.class) {
      return new Put(LocalRegions.row(1));
    }
    if (type == Delete.class) {
      return new Delete(LocalRegions.row(1));
    }
    return type == int.class ? (Object) 0 : type == boolean.class ? false : null;
  }

  /** Compiles a coprocessor for each method, which overrides it. */
  private List<Class<?>> observing(List<Method> methods)
      throws IOException, ReflectiveOperationException {
    Path sources = Files.createTempDirectory(directory, "observers");
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-nowarn",
                "-Xlint:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-proc:none"));
    for (int i = 0; i < methods.size(); i++) {
      Path source = sources.resolve("Observing" + i + ".java");
      Files.writeString(source, source("Observing" + i, methods.get(i)));
      arguments.add(source.toString());
    }
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(failed).isZero();
    ClassLoader loader =
        new URLClassLoader(
            new URL[] {sources.toUri().toURL()}, LeanCoprocessorHostTest.class.getClassLoader());
    List<Class<?>> observers = new ArrayList<>();
    for (int i = 0; i < methods.size(); i++) {
      observers.add(loader.loadClass("Observing" + i));
    }
    return observers;
  }

  private static String source(String name, Method method) {
    String parameters =
        IntStream.range(0, method.getParameterCount())
            .mapToObj(i -> type(method, i) + " p" + i)
            .collect(Collectors.joining(", "));
    String arguments =
        IntStream.range(0, method.getParameterCount())
            .mapToObj(i -> "p" + i)
            .collect(Collectors.joining(", "));
    return """
        @SuppressWarnings("deprecation")
        public class %1$s implements %2$s, %3$s {
          public java.util.Optional<%3$s> getRegionObserver() {
            return java.util.Optional.of(this);
          }
          public %4$s %5$s(%6$s) %10$s {
            %7$s.called("%5$s");
            %8$s %3$s.super.%5$s(%9$s);
          }
        }
        """
        .formatted(
            name,
            RegionCoprocessor.class.getName(),
            RegionObserver.class.getName(),
            method.getGenericReturnType().getTypeName().replace('$', '.'),
            method.getName(),
            parameters,
            LeanCoprocessorHostTest.class.getName(),
            method.getReturnType() == void.class ? "" : "return",
            arguments,
            method.getExceptionTypes().length == 0 ? "" : "throws java.io.IOException");
  }

  private static String type(Method method, int parameter) {
    return method.getGenericParameterTypes()[parameter].getTypeName().replace('$', '.');
  }
}
