package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.fastpath.metrics.region.LocalRegions.delete;
import static org.fastpath.metrics.region.LocalRegions.get;
import static org.fastpath.metrics.region.LocalRegions.nameOf;
import static org.fastpath.metrics.region.LocalRegions.put;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The observer in real regions, whose hooks HBase calls. */
class RegionMetricsObserverTest {
  private static final Class<RegionMetricsObserver> OURS = RegionMetricsObserver.class;

  private static final long NOT_DISCONNECTED = -1L;

  @TempDir Path directory;

  private LocalRegions regions;

  /** Another coprocessor, which runs a test's action in each hook. */
  public static class Other implements RegionCoprocessor, RegionObserver {
    private static Action beforePut = () -> {};
    private static Action beforeGet = () -> {};
    private static Action beforeOpen = () -> {};

    /** An action of a test. */
    interface Action {
      void run() throws IOException;
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) throws IOException {
      once(beforeOpen, () -> beforeOpen = () -> {});
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
        throws IOException {
      once(beforePut, () -> beforePut = () -> {});
    }

    @Override
    public void preGetOp(
        ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result)
        throws IOException {
      once(beforeGet, () -> beforeGet = () -> {});
    }

    private static void once(Action action, Runnable forget) throws IOException {
      forget.run();
      action.run();
    }
  }

  @BeforeEach
  void openNothing() throws IOException {
    regions = new LocalRegions(directory);
  }

  @AfterEach
  void close() throws IOException {
    RpcServer.setCurrentCall(null);
    regions.close();
  }

  @Test
  void everyOperationIsCountedOnce() throws IOException {
    HRegion region = regions.open("operations", "", OURS);
    region.put(put("a"));
    region.batchMutate(new Mutation[] {put("b"), put("c"), delete("a"), put("d")});
    region.delete(delete("b"));
    region.get(get("c"));
    scanNext(region);
    assertThat(shown(region))
        .containsEntry("putCount", 4L)
        .containsEntry("deleteCount", 2L)
        .containsEntry("getCount", 1L)
        .containsEntry("multiGetRowCount", 0L)
        .containsEntry("scanNextCount", 1L)
        .containsEntry("writeRequestCount", 6L)
        .containsEntry("readRequestCount", region.getReadRequestsCount());
    assertThat(shown(region).get("getP99Nanos")).isPositive();
    assertThat(Records.of("FastpathTables").get("operations"))
        .containsEntry("regionCount", 1L)
        .containsEntry("putCount", 4L)
        .containsEntry("writeRequestCount", 6L);
  }

  @Test
  void theRowsOfAMultiGetAreToldFromSingleGets() throws IOException {
    HRegion region = regions.open("multi", "", OURS);
    RpcServer.setCurrentCall(call("Multi"));
    region.get(get("a"));
    region.get(get("b"));
    RpcServer.setCurrentCall(call("Get"));
    region.get(get("a"));
    assertThat(shown(region)).containsEntry("multiGetRowCount", 2L).containsEntry("getCount", 1L);
  }

  @Test
  void aRegionComesAndGoesAndComesAgain() throws IOException {
    HRegion region = regions.open("again", "", OURS);
    region.put(put("a"));
    region.close();
    assertThat(Records.of("FastpathRegions")).doesNotContainKey(nameOf(region));
    assertThat(Records.of("FastpathTables")).doesNotContainKey("again");
    region = regions.open("again", "", OURS);
    region.put(put("a"));
    assertThat(shown(region)).containsEntry("putCount", 1L);
    assertThat(Records.of("FastpathTables").get("again"))
        .containsEntry("putCount", 2L)
        .containsEntry("writeRequestCount", 2L);
  }

  @Test
  void aFailedOpeningLeavesNothing() throws IOException {
    Other.beforeOpen = RegionMetricsObserverTest::fail;
    HRegion region = regions.create("unopened", "", OURS, Other.class);
    assertThatThrownBy(region::initialize).isInstanceOf(IOException.class);
    region.close(true);
    assertThat(Records.of("FastpathRegions")).doesNotContainKey(nameOf(region));
    assertThat(Records.of("FastpathTables")).doesNotContainKey("unopened");
  }

  @Test
  void replacedCoprocessorsShareTheRegion() throws IOException {
    HRegion region = regions.open("replaced", "", OURS);
    region.put(put("a"));
    regions.load(region, OURS);
    region.put(put("a"));
    assertThat(shown(region)).containsEntry("putCount", 2L);
    region.close();
    assertThat(Records.of("FastpathRegions")).doesNotContainKey(nameOf(region));
  }

  @Test
  void aBatchThatFailedEarlyIsNotTimedLater() throws IOException {
    HRegion region = regions.open("early", "", OURS, Other.class);
    Other.beforePut = RegionMetricsObserverTest::fail;
    assertThatThrownBy(() -> region.put(put("a"))).isInstanceOf(IOException.class);
    assertThat(shown(region)).containsEntry("putCount", 0L);
    region.put(put("a"));
    assertThat(shown(region)).containsEntry("putCount", 1L);
  }

  @Test
  void aGetThatFailedIsNotCounted() throws IOException {
    HRegion region = regions.open("failed", "", OURS, Other.class);
    Other.beforeGet = RegionMetricsObserverTest::fail;
    assertThatThrownBy(() -> region.get(get("a"))).isInstanceOf(IOException.class);
    assertThat(shown(region)).containsEntry("getCount", 0L);
  }

  @Test
  void anOperationWithAnotherInsideIsLeftOut() throws IOException {
    HRegion inner = regions.open("nested", "m", OURS);
    HRegion outer = regions.open("nested", "", OURS, Other.class);
    Other.beforePut = () -> inner.put(put("n"));
    Other.beforeGet = () -> inner.get(get("n"));
    outer.put(put("a"));
    outer.get(get("a"));
    assertThat(shown(inner)).containsEntry("putCount", 1L).containsEntry("getCount", 1L);
    assertThat(shown(outer)).containsEntry("putCount", 0L).containsEntry("getCount", 0L);
    outer.put(put("a"));
    outer.get(get("a"));
    assertThat(shown(outer)).containsEntry("putCount", 1L).containsEntry("getCount", 1L);
  }

  @Test
  void anOperationOfTheSameRegionInsideIsTheOneThatCounts() throws IOException {
    HRegion region = regions.open("within", "", OURS, Other.class);
    Other.beforePut = () -> region.put(put("b"));
    Other.beforeGet = () -> region.get(get("b"));
    region.put(put("a"));
    region.get(get("a"));
    assertThat(shown(region)).containsEntry("putCount", 1L).containsEntry("getCount", 1L);
  }

  @Test
  void aHookThatFailsIsCountedAndUnseen() throws IOException {
    HRegion region = regions.open("hook", "", OURS);
    long before = failedHooks();
    RpcServer.setCurrentCall(brokenCall());
    region.get(get("a"));
    assertThat(failedHooks()).isEqualTo(before + 1);
    assertThat(region.getCoprocessorHost().getCoprocessors()).hasSize(1);
  }

  @Test
  void manyMiniBatchesOfABatchAreAllTimed() throws IOException {
    HRegion region = regions.open("batches", "", OURS);
    List<Mutation> puts = new ArrayList<>();
    for (int i = 0; i < 3 * LocalRegions.MINI_BATCH; i++) {
      puts.add(put(Integer.toString(i)));
    }
    region.batchMutate(puts.toArray(new Mutation[0]));
    assertThat(shown(region)).containsEntry("putCount", 3L * LocalRegions.MINI_BATCH);
  }

  private static void scanNext(HRegion region) throws IOException {
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      region.getCoprocessorHost().preScannerNext(scanner, new ArrayList<>(), 1);
      scanner.next(new ArrayList<>());
      region.getCoprocessorHost().postScannerNext(scanner, new ArrayList<>(), 1, true);
    }
  }

  private static void fail() throws IOException {
    throw new IOException("as the test wants it");
  }

  private static RpcCall call(String method) {
    return callWith(() -> ClientService.getDescriptor().findMethodByName(method));
  }

  private static RpcCall brokenCall() {
    return callWith(
        () -> {
          throw new IllegalStateException("as the test wants it");
        });
  }

  private static RpcCall callWith(Supplier<Object> method) {
    return (RpcCall)
        Proxy.newProxyInstance(
            RpcCall.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, called, arguments) ->
                switch (called.getName()) {
                  case "getMethod" -> method.get();
                  case "getRequestUser" -> Optional.empty();
                  default -> called.getReturnType() == long.class ? NOT_DISCONNECTED : null;
                });
  }

  private static Map<String, Long> shown(HRegion region) {
    return Records.of("FastpathRegions").get(nameOf(region));
  }

  private static long failedHooks() {
    return Records.of("FastpathRegionObserver").values().iterator().next().get("failedHookCount");
  }
}
