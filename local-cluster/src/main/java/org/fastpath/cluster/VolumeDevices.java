package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices of one DataNode, in the process that owns the cluster: one for each volume, then the
 * controllers. They keep their speed over restarts of the DataNode, like disks. Thread-safe.
 */
final class VolumeDevices {
  private static final long PATIENCE_NANOS = 60_000_000_000L;
  private static final long POLL_MILLIS = 5;

  private final Path file;
  private final List<DeviceTable.Device> devices;
  private long revision = 1;

  VolumeDevices(Path file, List<DeviceTable.Device> devices) {
    this.file = file;
    this.devices = new ArrayList<>(devices);
  }

  /** Writes the table for a DataNode before its start. */
  synchronized void prepare() throws IOException {
    Files.deleteIfExists(DeviceTable.applied(file));
    DeviceTable.write(file, table().format());
  }

  /** Changes the speed of one device and waits until the DataNode has it, if it runs. */
  synchronized void change(Daemon dataNode, int index, VolumeSpeed speed) {
    devices.set(index, new DeviceTable.Device(speed, devices.get(index).volumes()));
    revision++;
    try {
      DeviceTable.write(file, table().format());
      long end = System.nanoTime() + PATIENCE_NANOS;
      while (dataNode.isAlive() && !isApplied()) {
        if (System.nanoTime() > end) {
          throw new ClusterException(dataNode.name() + " does not take the speed of its volumes");
        }
        Thread.sleep(POLL_MILLIS);
      }
    } catch (IOException e) {
      throw new ClusterException("cannot change a volume of " + dataNode.name() + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while a volume's speed changed", e);
    }
  }

  /** Returns whether the DataNode uses these speeds. */
  synchronized boolean isApplied() throws IOException {
    Path applied = DeviceTable.applied(file);
    return Files.exists(applied) && Files.readString(applied).equals(Long.toString(revision));
  }

  private DeviceTable table() {
    return new DeviceTable(revision, devices);
  }
}
