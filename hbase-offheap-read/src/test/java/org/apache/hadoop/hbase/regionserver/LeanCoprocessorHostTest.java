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
import java.util.EnumSet;
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
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
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

  @Test
  void eachHookRunsIfACoprocessorHasIt() throws IOException, ReflectiveOperationException {
    // HBase looks for the hook of filtered rows only when it loads configured coprocessors.
    for (ObserverHook hook :
        EnumSet.complementOf(EnumSet.of(ObserverHook.POST_SCANNER_FILTER_ROW))) {
      for (Method method : methods(hook)) {
        RegionCoprocessorHost stock = stock(observing(method));
        List<String> expected = callAll(stock);
        assertThat(callAll(lean(stock))).as(method.toString()).isEqualTo(expected);
        assertThat(Set.copyOf(expected)).as(method.toString()).hasSize(1);
      }
    }
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
    Class<?> observer = observing(methods(ObserverHook.POST_GET).get(0));
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

  /** Returns the methods of a hook that HBase calls, directly or by the default of another one. */
  private static List<Method> methods(ObserverHook hook) {
    List<Method> found =
        Arrays.stream(RegionObserver.class.getMethods())
            .filter(method -> method.getParameterTypes()[0] == ObserverContext.class)
            .filter(method -> hook.methods().contains(method.getName()))
            .toList();
    assertThat(found).as(hook.toString()).isNotEmpty();
    return found;
  }

  /**
   * Calls all hooks of a host that {@link LeanCoprocessorHost} overrides; returns those that ran.
   */
  private List<String> callAll(RegionCoprocessorHost host) throws ReflectiveOperationException {
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
        own.invoke(
            host,
            Arrays.stream(types)
                .map(type -> argument(method.getName().endsWith("BeforeWAL"), type, check))
                .toArray());
      }
    }
    return List.copyOf(CALLS);
  }

  private Object argument(boolean beforeWal, Class<?> type, CheckAndMutate check) {
    if (type == CheckAndMutate.class) {
      return check;
    }
    if (type == CheckAndMutateResult.class) {
      return new CheckAndMutateResult(true, null);
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

  /** Compiles a coprocessor that overrides one method. */
  private Class<?> observing(Method method) throws IOException, ReflectiveOperationException {
    Path sources = Files.createTempDirectory(directory, "observer");
    String parameters =
        IntStream.range(0, method.getParameterCount())
            .mapToObj(i -> type(method, i) + " p" + i)
            .collect(Collectors.joining(", "));
    String arguments =
        IntStream.range(0, method.getParameterCount())
            .mapToObj(i -> "p" + i)
            .collect(Collectors.joining(", "));
    boolean hasResult = method.getReturnType() != void.class;
    Path source = sources.resolve("Observing.java");
    Files.writeString(
        source,
        "public class Observing implements "
            + RegionCoprocessor.class.getName()
            + ", "
            + RegionObserver.class.getName()
            + " {\n"
            + "  public java.util.Optional<"
            + RegionObserver.class.getName()
            + "> getRegionObserver() { return java.util.Optional.of(this); }\n"
            + "  public "
            + method.getGenericReturnType().getTypeName()
            + " "
            + method.getName()
            + "("
            + parameters
            + ") throws java.io.IOException {\n    "
            + LeanCoprocessorHostTest.class.getName()
            + ".called(\""
            + method.getName()
            + "\");\n"
            + "    "
            + (hasResult ? "return " : "")
            + RegionObserver.class.getName()
            + ".super."
            + method.getName()
            + "("
            + arguments
            + ");\n  }\n}\n");
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-nowarn",
                "-Xlint:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-proc:none",
                source.toString());
    assertThat(failed).isZero();
    ClassLoader loader =
        new URLClassLoader(
            new URL[] {sources.toUri().toURL()}, LeanCoprocessorHostTest.class.getClassLoader());
    return loader.loadClass("Observing");
  }

  private static String type(Method method, int parameter) {
    return method.getGenericParameterTypes()[parameter].getTypeName().replace('$', '.');
  }
}
