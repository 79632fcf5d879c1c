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
 * Polls volumes at a fixed period, in one thread of the process. It reads the kernel's statistics
 * of their devices, which include short-circuit reads and other programs. It also reads their free
 * space, and ranks the volumes while no replica arrives. The thread lives as long as a policy
 * exists.
 *
 * <p>It waits for no volume. A hanging file system blocks only the thread that reads its free
 * space, and its volume counts as stalled meanwhile. A failing source is skipped, such as a file
 * system without a device or a kernel without statistics.
 */
final class VolumeWatch {
  static final VolumeWatch SHARED =
      new VolumeWatch(VolumeRegistry.SHARED, Path.of("/proc/diskstats"));

  private static final Logger LOG = LoggerFactory.getLogger(VolumeWatch.class);

  /** The number of threads is the number of volumes that do not answer, plus one. */
  private static final Executor POLLERS = Executors.newCachedThreadPool(VolumeWatch::asker);

  private final VolumeRegistry registry;
  private final Path statistics;
  private final List<WeakReference<LatencyAwareVolumeChoosingPolicy<?>>> policies =
      new ArrayList<>();
  private final Map<DataNodeVolume, Device> devices = new WeakHashMap<>();
  private Thread thread;
  private long periodMillis = Long.MAX_VALUE;
  private boolean readsStatistics;
  private boolean warned;

  /** A volume's device and its statistics at the last poll. */
  private static final class Device {
    /** Empty while it is unknown, or if there is no device. */
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

  /** Polls volumes for one more policy. */
  synchronized void join(LatencyAwareVolumeChoosingPolicy<?> policy, VolumeChoiceOptions options) {
    policies.add(new WeakReference<>(policy));
    periodMillis = Math.min(periodMillis, options.deviceMillis());
    readsStatistics |= options.deviceStatistics();
    if (thread == null) {
      Thread started = new Thread(this::run, "volume-watch");
      started.setDaemon(true);
      started.start();
      thread = started;
    }
  }

  private void run() {
    try {
      while (lives()) {
        Thread.sleep(period());
        pollSafely();
      }
    } catch (InterruptedException e) {
      // No code interrupts this thread. Measurements by the volumes themselves go on.
      Thread.currentThread().interrupt();
    } finally {
      ended();
    }
  }

  /** Lets the next policy start a thread, also if this one fails. */
  private synchronized void ended() {
    if (thread == Thread.currentThread()) {
      thread = null;
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
      warnOnce("The poll of the volumes failed; the next one tries again", e);
    }
  }

  /** Polls all volumes once; waits for none of them. */
  void poll() {
    registry.prune();
    List<DataNodeVolume> volumes = registry.all();
    for (DataNodeVolume volume : volumes) {
      pollRoomSafely(volume, devices.computeIfAbsent(volume, any -> new Device()));
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

  /** Polls a volume in a separate thread, so a hanging disk delays no other volume. */
  private void pollRoomSafely(DataNodeVolume volume, Device device) {
    if (device.asking.compareAndSet(false, true)) {
      try {
        POLLERS.execute(() -> ask(volume, device));
      } catch (RuntimeException | OutOfMemoryError e) {
        device.asking.set(false);
        warnOnce("The poll of a volume's free space failed", e);
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
      LOG.debug("The free space of {} cannot be read", volume.path(), e);
    } finally {
      device.asking.set(false);
    }
  }

  private void pollDevices(List<DataNodeVolume> volumes) {
    Map<String, DeviceStatistics> now;
    try {
      now = DeviceStatistics.parse(Files.readAllLines(statistics));
    } catch (IOException e) {
      warnOnce("The statistics of devices (/proc/diskstats) cannot be read", e);
      return;
    }
    for (DataNodeVolume volume : volumes) {
      Device device = devices.get(volume);
      device.poll(now.get(device.name), volume.load());
    }
  }

  /** Returns the name of the device; empty if there is none. */
  private static String deviceOf(DataNodeVolume volume) {
    try {
      Object number = Files.getAttribute(Path.of(volume.path()), "unix:dev");
      return DeviceStatistics.name(((Number) number).longValue());
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /** Warns once. It must not throw, or the thread would end. */
  private void warnOnce(String what, Throwable why) {
    if (!warned) {
      warned = true;
      try {
        LOG.warn("{}; this is logged once", what, why);
      } catch (OutOfMemoryError e) {
        // There is no memory for a warning either.
      }
    }
  }
}
