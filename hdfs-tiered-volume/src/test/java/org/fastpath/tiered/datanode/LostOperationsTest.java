package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Operations of a DataNode that end with an {@link Error}, which HDFS reports to nobody. */
class LostOperationsTest {
  private static final long SECOND = 1_000_000_000;

  private final AtomicLong now = new AtomicLong(SECOND);
  private final VolumeRegistry registry = new VolumeRegistry(now::get);
  private final FileIoProvider provider = new FileIoProvider(new Configuration(false), null);
  private final FsVolumeSpi volume = FsVolumes.of(StorageType.DISK, new AtomicLong(1), provider);
  private final AtomicBoolean breaks = new AtomicBoolean();
  @TempDir private Path directory;

  @BeforeEach
  void install() throws ReflectiveOperationException {
    registry.of(volume);
    Field field = FileIoProvider.class.getDeclaredField("faultInjectorEventHook");
    field.setAccessible(true);
    field.set(
        provider,
        new FaultInjectorFileIoEvents(null) {
          @Override
          public void beforeFileIo(FsVolumeSpi of, OPERATION op, long len) {
            if (breaks.get()) {
              throw new OutOfMemoryError("injected");
            }
          }
        });
  }

  private VolumeLoad load() {
    return registry.of(volume).load();
  }

  private void writeWithAnError() {
    breaks.set(true);
    assertThatThrownBy(this::write).isInstanceOf(OutOfMemoryError.class);
    breaks.set(false);
  }

  private void write() throws IOException {
    try (FileOutputStream out =
        provider.getFileOutputStream(volume, directory.resolve("replica").toFile())) {
      out.write(new byte[1000]);
    }
  }

  @Test
  void theNextOperationOfTheThreadEndsTheLostOne() throws IOException {
    writeWithAnError();
    write();
    assertThat(load().transfers().inFlight()).isZero();
    assertThat(load().statistics().errors()).isOne();
    assertThat(load().transfers().work()).isEqualTo(1000);
    now.addAndGet(60 * SECOND);
    assertThat(load().transfers().stalledNanos(now.get())).isZero();
  }

  @Test
  void theEndOfTheThreadEndsItsLostOperation() throws InterruptedException {
    Thread thread = new Thread(this::writeWithAnError);
    thread.start();
    thread.join();
    registry.prune();
    assertThat(load().transfers().inFlight()).isZero();
    assertThat(load().statistics().errors()).isOne();
  }

  @Test
  void aWriteWithinAFlushIsNoLostOperation() throws IOException {
    try (FileOutputStream out =
        provider.getFileOutputStream(volume, directory.resolve("replica").toFile())) {
      provider.flush(volume, () -> out.write(new byte[10]));
      provider.flush(volume, () -> out.write(new byte[10]));
    }
    assertThat(load().transfers().work()).isEqualTo(20);
    assertThat(load().transfers().inFlight()).isZero();
    assertThat(load().statistics().errors()).isZero();
  }

  @Test
  void anErrorWithinAFlushLosesBoth() throws IOException {
    try (FileOutputStream out =
        provider.getFileOutputStream(volume, directory.resolve("replica").toFile())) {
      assertThatThrownBy(
              () ->
                  provider.flush(
                      volume,
                      () -> {
                        breaks.set(true);
                        out.write(new byte[10]);
                      }))
          .isInstanceOf(OutOfMemoryError.class);
      breaks.set(false);
      provider.flush(volume, () -> out.write(new byte[10]));
    }
    assertThat(load().transfers().inFlight()).isZero();
    assertThat(load().statistics().errors()).isEqualTo(2);
  }

  /** As of a thread that lives on in a pool and does nothing. */
  @Test
  void anOperationExpiresOnceLaterOnesHaveEnded() throws Exception {
    long begin = registry.begin(volume, OPERATION.WRITE);
    Thread other =
        new Thread(
            () -> {
              now.addAndGet(61 * SECOND);
              long later = registry.begin(volume, OPERATION.WRITE);
              registry.end(volume, OPERATION.WRITE, later, 5);
            });
    registry.prune();
    other.start();
    other.join();
    assertThat(load().transfers().inFlight()).isOne();
    registry.prune();
    assertThat(load().transfers().inFlight()).isZero();
    assertThat(load().statistics().errors()).as("nobody knows of one").isZero();
    registry.end(volume, OPERATION.WRITE, begin, 7);
    assertThat(load().transfers().inFlight()).as("its end comes after all").isZero();
    assertThat(load().transfers().work()).isEqualTo(5);
  }

  @Test
  void anOperationOfADeviceThatIsStuckDoesNotExpire() {
    registry.begin(volume, OPERATION.WRITE);
    now.addAndGet(3600 * SECOND);
    registry.prune();
    assertThat(load().transfers().inFlight()).isOne();
    assertThat(load().transfers().stalledNanos(now.get())).isEqualTo(3600 * SECOND);
  }
}
