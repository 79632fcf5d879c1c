package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of the process that looks at volumes at a fixed period: at the kernel's statistics of
 * their devices, in which short-circuit reads and other programs show too, at the room that they
 * have, and at their latencies while no replica comes. It lives as long as there is a policy.
 *
 * <p>Whatever fails is left out: a file system without a device, such as tmpfs or overlay, a kernel
 * without statistics.
 */
final class VolumeWatch {
  static final VolumeWatch SHARED =
      new VolumeWatch(VolumeRegistry.SHARED, Path.of("/proc/diskstats"));

  private static final Logger LOG = LoggerFactory.getLogger(VolumeWatch.class);

  private final VolumeRegistry registry;
  private final Path statistics;
  private final List<WeakReference<LatencyAwareVolumeChoosingPolicy<?>>> policies =
      new ArrayList<>();
  private final Map<DataNodeVolume, Device> devices = new WeakHashMap<>();
  private Thread thread;
  private long periodMillis = Long.MAX_VALUE;
  private boolean readsStatistics;
  private boolean complained;

  /** A volume's device and what it had done when it was last looked at. */
  private static final class Device {
    private final String name;
    private DeviceStatistics last;

    Device(String name) {
      this.name = name;
    }

    void look(DeviceStatistics now, VolumeLoad load) {
      if (now != null && last != null && now.busyMillis() >= last.busyMillis()) {
        load.device(
            TimeUnit.MILLISECONDS.toNanos(now.busyMillis() - last.busyMillis()),
            Math.max(0, now.work() - last.work()));
      }
      last = now;
    }
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
        lookSafely();
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

  private void lookSafely() {
    try {
      look();
    } catch (RuntimeException | LinkageError e) {
      complain("Volumes were not looked at this time", e);
    }
  }

  /** Looks once. */
  void look() {
    registry.prune();
    List<DataNodeVolume> volumes = registry.all();
    if (readsStatistics()) {
      lookAtDevices(volumes);
    }
    for (DataNodeVolume volume : volumes) {
      try {
        volume.load().availableBytes();
      } catch (IOException e) {
        // A choice will find that out.
      }
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

  private void lookAtDevices(List<DataNodeVolume> volumes) {
    Map<String, DeviceStatistics> now;
    try {
      now = DeviceStatistics.parse(Files.readAllLines(statistics));
    } catch (IOException e) {
      complain("The kernel has no statistics of devices", e);
      return;
    }
    for (DataNodeVolume volume : volumes) {
      Device device = devices.computeIfAbsent(volume, any -> new Device(deviceOf(any)));
      device.look(now.get(device.name), volume.load());
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
