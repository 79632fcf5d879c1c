package org.fastpath.tiered.datanode;

import static org.apache.hadoop.fs.StorageType.DISK;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The policy as HDFS uses it: with volumes that are offered, in lists made for one choice. */
class LatencyAwareVolumeChoosingPolicyTest {
  private static final int CHOICES = 2_000;

  /** Half a minute of them. */
  private static final int LOOKS = 1_500;

  private final FileIoProvider provider = new FileIoProvider(new Configuration(false), null);
  private final List<FsVolumeSpi> volumes = new ArrayList<>();
  private LatencyAwareVolumeChoosingPolicy<FsVolumeSpi> policy;

  @BeforeEach
  @SuppressWarnings("unchecked")
  void setUp() {
    for (int i = 0; i < 4; i++) {
      volumes.add(FsVolumes.of(DISK, new AtomicLong(1L << 40), provider));
    }
    policy =
        ReflectionUtils.newInstance(
            LatencyAwareVolumeChoosingPolicy.class, new Configuration(false));
  }

  private FsVolumeSpi choose() throws IOException {
    return policy.chooseVolume(new ArrayList<>(volumes), 1 << 20, "DS-nominated");
  }

  @Test
  void aSyncThatHangsTakesItsVolumeOut() throws IOException, InterruptedException {
    choose();
    FsVolumeSpi stuck = volumes.get(2);
    VolumeLoad load = VolumeRegistry.SHARED.of(stuck).load();
    Thread writer =
        new Thread(
            () -> {
              try {
                provider.flush(stuck, () -> sleepUntilInterrupted());
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    writer.start();
    awaitStalled(load, true);
    for (int i = 0; i < CHOICES; i++) {
      assertThat(choose()).isNotSameAs(stuck);
    }
    writer.interrupt();
    writer.join();
    awaitStalled(load, false);
    assertThat(load.transfers().inFlight()).isZero();
  }

  private void awaitStalled(VolumeLoad load, boolean stalled)
      throws IOException, InterruptedException {
    for (int i = 0; i < LOOKS && load.isStalled() != stalled; i++) {
      Thread.sleep(20);
      choose();
    }
    assertThat(load.isStalled()).isEqualTo(stalled);
  }

  private static void sleepUntilInterrupted() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      // The thread waited for this.
    }
  }

  @Test
  void manyThreadsWhileVolumesComeAndGo() throws InterruptedException {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int leftOut = t;
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < CHOICES; i++) {
                    List<FsVolumeSpi> offered = new ArrayList<>(volumes);
                    if (i % 10 == 0) {
                      offered.remove(leftOut);
                    }
                    assertThat(offered).contains(policy.chooseVolume(offered, 1, ""));
                  }
                } catch (IOException | RuntimeException | AssertionError e) {
                  failures.add(e);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void nothingIsKeptOfAVolumeThatWasTakenOut() throws IOException, InterruptedException {
    choose();
    WeakReference<FsVolumeSpi> gone = new WeakReference<>(volumes.remove(0));
    choose();
    DataNodeVolume known = known(gone.get());
    while (gone.get() != null) {
      System.gc();
      Thread.sleep(10);
    }
    VolumeRegistry.SHARED.prune();
    assertThat(VolumeRegistry.SHARED.all()).doesNotContain(known);
  }

  private static DataNodeVolume known(FsVolumeSpi volume) {
    return VolumeRegistry.SHARED.of(volume);
  }

  @Test
  void aVolumeThatIsPutBackIsAnotherOne() throws IOException {
    choose();
    FsVolumeSpi before = volumes.get(0);
    FsVolumeSpi after =
        FsVolumes.named(before.getStorageID(), DISK, new AtomicLong(1L << 40), provider);
    volumes.set(0, after);
    choose();
    assertThat(VolumeRegistry.SHARED.of(after)).isNotSameAs(VolumeRegistry.SHARED.of(before));
  }
}
