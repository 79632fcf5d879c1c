package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls volumes at a fixed period, in a thread of the process: the kernel's statistics of their
 * devices, in which short-circuit reads and other programs show too, the room that they have, and
 * their latencies while no replica comes. The thread lives as long as there is a policy.
 *
 * <p>It waits for no volume: a file system that hangs holds up the thread that asks for its room,
 * and its volume counts as stalled meanwhile. What fails is skipped: a file system without a
 * device, such as tmpfs or overlay, a kernel without statistics.
 */
final class VolumeWatch {
  static final VolumeWatch SHARED =
      new VolumeWatch(VolumeRegistry.SHARED, Path.of("/proc/diskstats"));

  private static final Logger LOG = LoggerFactory.getLogger(VolumeWatch.class);

  /** As many threads as volumes that do not answer, and one more. */
  private static final Executor ASKERS = Executors.newCachedThreadPool(VolumeWatch::asker);

  private final VolumeRegistry registry;
  private final Path statistics;
  private final List<WeakReference<LatencyAwareVolumeChoosingPolicy<?>>> policies =
      new ArrayList<>();
  private final Map<DataNodeVolume, Device> devices = new WeakHashMap<>();
  private Thread thread;
  private long periodMillis = Long.MAX_VALUE;
  private boolean readsStatistics;
  private boolean complained;

  /** A volume's device and what it had done when it was last polled. */
  private static final class Device {
    /** Empty, which no device is called, until it is known and if there is none. */
    private volatile String name = "";

    private DeviceStatistics last;
    private final AtomicBoolean asking = new AtomicBoolean();

    void poll(DeviceStatistics now, VolumeLoad load) {
      if (now != null && last != null && now.busyMillis() >= last.busyMillis()) {
        load.statistics()
            .device(
                TimeUnit.MILLISECONDS.toNanos(now.busyMillis() - last.busyMillis()),
                Math.max(0, now.work() - last.work()));
      }
      last = now;
    }
  }

  private static Thread asker(Runnable work) {
    Thread thread = new Thread(work, "volume-room");
    thread.setDaemon(true);
    return thread;
  }

  VolumeWatch(VolumeRegistry registry, Path statistics) {
    this.registry = registry;
    this.statistics = statistics;
  }

  /** Looks at volumes for one more policy. */
  synchronized void join(LatencyAwareVolumeChoosingPolicy<?> policy, VolumeChoiceOptions options) {
    policies.add(new WeakReference<>(policy));
    periodMillis = Math.min(periodMillis, options.deviceMillis());
    readsStatistics |= options.deviceStatistics();
    if (thread == null) {
      thread = new Thread(this::run, "volume-watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void run() {
    try {
      while (lives()) {
        Thread.sleep(period());
        pollSafely();
      }
    } catch (InterruptedException e) {
      // Nobody here does so; what is measured by the volumes themselves goes on.
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean lives() {
    policies.removeIf(policy -> policy.refersTo(null));
    if (policies.isEmpty()) {
      thread = null;
    }
    return thread != null;
  }

  private synchronized long period() {
    return periodMillis;
  }

  private void pollSafely() {
    try {
      poll();
    } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
      complain("Volumes were not polled this time", e);
    }
  }

  /** Polls all volumes once; waits for none of them. */
  void poll() {
    registry.prune();
    List<DataNodeVolume> volumes = registry.all();
    for (DataNodeVolume volume : volumes) {
      askSafely(volume, devices.computeIfAbsent(volume, any -> new Device()));
    }
    if (readsStatistics()) {
      pollDevices(volumes);
    }
    for (LatencyAwareVolumeChoosingPolicy<?> policy : policies()) {
      policy.rank();
    }
  }

  private synchronized boolean readsStatistics() {
    return readsStatistics;
  }

  private synchronized List<LatencyAwareVolumeChoosingPolicy<?>> policies() {
    List<LatencyAwareVolumeChoosingPolicy<?>> living = new ArrayList<>();
    for (WeakReference<LatencyAwareVolumeChoosingPolicy<?>> reference : policies) {
      LatencyAwareVolumeChoosingPolicy<?> policy = reference.get();
      if (policy != null) {
        living.add(policy);
      }
    }
    return living;
  }

  /** Asks a volume in a thread of its own: a disk that hangs keeps no other volume waiting. */
  private void askSafely(DataNodeVolume volume, Device device) {
    if (device.asking.compareAndSet(false, true)) {
      try {
        ASKERS.execute(() -> ask(volume, device));
      } catch (RuntimeException | OutOfMemoryError e) {
        device.asking.set(false);
        complain("A volume was not asked for its room", e);
      }
    }
  }

  private static void ask(DataNodeVolume volume, Device device) {
    try {
      if (device.name.isEmpty()) {
        device.name = deviceOf(volume);
      }
      volume.load().pollRoom();
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} does not say how much room it has", volume.path(), e);
    } finally {
      device.asking.set(false);
    }
  }

  private void pollDevices(List<DataNodeVolume> volumes) {
    Map<String, DeviceStatistics> now;
    try {
      now = DeviceStatistics.parse(Files.readAllLines(statistics));
    } catch (IOException e) {
      complain("The kernel has no statistics of devices", e);
      return;
    }
    for (DataNodeVolume volume : volumes) {
      Device device = devices.get(volume);
      device.poll(now.get(device.name), volume.load());
    }
  }

  /** Empty, which no device is called, if there is none. */
  private static String deviceOf(DataNodeVolume volume) {
    try {
      Object number = Files.getAttribute(Path.of(volume.path()), "unix:dev");
      return DeviceStatistics.name(((Number) number).longValue());
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  private void complain(String what, Throwable why) {
    if (!complained) {
      complained = true;
      LOG.warn("{}; this is said once", what, why);
    }
  }
}
