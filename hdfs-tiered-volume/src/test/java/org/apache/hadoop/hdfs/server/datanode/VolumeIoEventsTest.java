package org.apache.hadoop.hdfs.server.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.fastpath.tiered.datanode.FsVolumes;
import org.fastpath.tiered.datanode.VolumeIoListener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hook reports operations and keeps the behaviour of the stock hook. */
class VolumeIoEventsTest implements VolumeIoListener {
  private static final long LATE = 1_234_567_890_123_456L;

  private final List<String> told = new ArrayList<>();
  private final FsVolumeSpi volume = FsVolumes.of(StorageType.DISK, new AtomicLong(1 << 20), null);
  private final FileIoProvider provider = new FileIoProvider(new Configuration(false), null);
  @TempDir private Path directory;

  @BeforeEach
  void install() throws ReflectiveOperationException {
    VolumeIoEvents.install(provider, this);
  }

  @Override
  public long begin(FsVolumeSpi of, OPERATION operation) {
    return operation == OPERATION.WRITE || operation == OPERATION.SYNC ? LATE : -1;
  }

  @Override
  public void end(FsVolumeSpi of, OPERATION operation, long beginNanos, long bytes) {
    assertThat(of).isSameAs(volume);
    assertThat(beginNanos).isEqualTo(LATE);
    told.add(operation + " " + bytes);
  }

  @Override
  public void failed(FsVolumeSpi of, boolean transfer, long beginNanos) {
    assertThat(beginNanos).isEqualTo(LATE);
    told.add("failed " + transfer);
  }

  @Test
  void tellsOfWritesAndSyncs() throws IOException {
    try (FileOutputStream out =
        provider.getFileOutputStream(volume, directory.resolve("replica").toFile())) {
      out.write(new byte[1000]);
      provider.sync(volume, out);
    }
    assertThat(told).containsExactly("WRITE 1000", "SYNC 0");
  }

  @Test
  void tellsOfFailures() throws IOException {
    FileOutputStream out =
        provider.getFileOutputStream(volume, directory.resolve("replica").toFile());
    out.close();
    assertThatThrownBy(() -> out.write(new byte[10])).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> provider.sync(volume, out)).isInstanceOf(IOException.class);
    assertThat(told).containsExactly("failed true", "failed false");
  }

  @Test
  void isInstalledOnce() throws ReflectiveOperationException {
    ProfilingFileIoEvents hook = provider.getProfilingEventHook();
    VolumeIoEvents.install(provider, this);
    assertThat(provider.getProfilingEventHook()).isSameAs(hook);
  }

  @Test
  void theStockProfileCanBeSwitchedAsBefore() {
    ProfilingFileIoEvents hook = provider.getProfilingEventHook();
    assertThat(hook.getDiskStatsEnabled()).isFalse();
    hook.setSampleRangeMax(100);
    assertThat(hook.getDiskStatsEnabled()).isTrue();
    assertThat(hook.getSampleRangeMax()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void theStockHookGetsItsOwnBeginning() throws ReflectiveOperationException {
    List<Long> begins = new ArrayList<>();
    ProfilingFileIoEvents stock =
        new ProfilingFileIoEvents(null) {
          @Override
          public long beforeFileIo(FsVolumeSpi of, OPERATION op, long len) {
            return op == OPERATION.READ ? 42 : op == OPERATION.WRITE ? LATE / 1_000_000 : 0;
          }

          @Override
          public void afterFileIo(FsVolumeSpi of, OPERATION op, long begin, long len) {
            begins.add(begin);
          }
        };
    FileIoProvider other = new FileIoProvider(null, null);
    Field field = FileIoProvider.class.getDeclaredField("profilingEventHook");
    field.setAccessible(true);
    field.set(other, stock);
    VolumeIoEvents.install(other, this);
    ProfilingFileIoEvents hook = other.getProfilingEventHook();
    for (OPERATION op : List.of(OPERATION.READ, OPERATION.WRITE, OPERATION.SYNC)) {
      hook.afterFileIo(volume, op, hook.beforeFileIo(volume, op, 1), 1);
    }
    assertThat(begins).containsExactly(42L, LATE / 1_000_000, 0L);
  }
}
