package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreFileOriginTest {
  private static final long NOW = 1_000_000;

  private final List<StoreFile> files = new ArrayList<>();

  @BeforeEach
  void setClock() {
    EnvironmentEdgeManager.injectEdge(() -> NOW);
  }

  @AfterEach
  void resetClock() {
    EnvironmentEdgeManager.reset();
  }

  @Test
  void theNewestCellCounts() {
    newest(() -> OptionalLong.of(1_000));
    newest(() -> OptionalLong.of(400_000));
    newest(() -> OptionalLong.of(2_000));
    assertThat(of(false, false).ageMillis()).isEqualTo(600_000);
  }

  @Test
  void whatIsNotKnownIsNotOld() {
    assertThat(of(false, false).ageMillis()).isNegative();
    newest(() -> OptionalLong.of(1));
    newest(OptionalLong::empty);
    assertThat(of(false, false).ageMillis()).isNegative();
  }

  @Test
  void aTimeToComeIsNotOld() {
    newest(() -> OptionalLong.of(NOW + 1));
    assertThat(of(false, false).ageMillis()).isNegative();
  }

  @Test
  void aFileThatIsClosedDoesNoHarm() {
    newest(
        () -> {
          throw new NullPointerException("no reader");
        });
    assertThat(of(false, false).ageMillis()).isNegative();
  }

  @ParameterizedTest
  @CsvSource({
    "false, false, MINOR_COMPACTION",
    "true, false, MAJOR_COMPACTION",
    "false, true, MAJOR_COMPACTION"
  })
  void aCompactionOfAllFilesIsAMajorOne(boolean major, boolean allFiles, StoreFileKind kind) {
    assertThat(of(major, allFiles).reading(5)).isEqualTo(new StoreFileOrigin(kind, 5, -1));
  }

  private void newest(Supplier<OptionalLong> timestamp) {
    files.add(proxy(StoreFile.class, (proxy, method, arguments) -> timestamp.get()));
  }

  private StoreFileOrigin of(boolean major, boolean allFiles) {
    return StoreFileOrigin.of(
        proxy(
            CompactionRequest.class,
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isMajor" -> major;
                  case "isAllFiles" -> allFiles;
                  case "getFiles" -> files;
                  default -> throw new UnsupportedOperationException(method.getName());
                }));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
