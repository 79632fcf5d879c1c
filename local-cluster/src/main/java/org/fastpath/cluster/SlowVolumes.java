package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * Delays each operation of a DataNode on a volume by the time of the volume's modelled devices. The
 * DataNode measures its own times around this, so its metrics include the delay.
 *
 * <p>Reads, writes, syncs and changes of directories go to the devices. Questions that a kernel
 * answers from memory do not: the existence of a file, or the content of a directory. A failing
 * device lets deletions pass, because they cannot report a failure.
 *
 * <p>With a {@link PageCache}, a sent block is read from the devices only if it is not in memory.
 * The devices read pieces of the read-ahead, and opening a file is free. This applies to volumes
 * with a merging write-back.
 *
 * <p>Thread-safe. It exists only in the DataNode, see {@link SlowVolumesPlugin}.
 */
final class SlowVolumes extends FaultInjectorFileIoEvents implements SlowVolumesMXBean {
  /** Operations that change a directory and may fail. */
  private static final Set<FileIoProvider.OPERATION> CHANGES =
      EnumSet.of(
          FileIoProvider.OPERATION.OPEN,
          FileIoProvider.OPERATION.MKDIRS,
          FileIoProvider.OPERATION.MOVE);

  private final List<List<Path>> directories = new ArrayList<>();
  private final List<SlowDevice> devices = new ArrayList<>();
  private final AtomicLongArray readBytes;
  private final AtomicLongArray writtenBytes;
  private final Map<FsVolumeSpi, List<Integer>> byVolume = new ConcurrentHashMap<>();
  private final Optional<PageCache> pageCache;
  private final ThreadLocal<CurrentBlock> blocks = new ThreadLocal<>();

  SlowVolumes(DeviceTable table, Optional<PageCache> pageCache) {
    super(null);
    this.pageCache = pageCache;
    for (DeviceTable.Device device : table.devices()) {
      directories.add(device.volumes().stream().map(Path::of).toList());
      devices.add(new SlowDevice(device.speed()));
    }
    readBytes = new AtomicLongArray(devices.size());
    writtenBytes = new AtomicLongArray(devices.size());
  }

  @Override
  public long[] getReadBytes() {
    return IntStream.range(0, devices.size()).mapToLong(readBytes::get).toArray();
  }

  @Override
  public long[] getWrittenBytes() {
    return IntStream.range(0, devices.size()).mapToLong(writtenBytes::get).toArray();
  }

  @Override
  public long[] getBusyNanos() {
    return devices.stream().mapToLong(SlowDevice::busyNanos).toArray();
  }

  /** Sets the speed of each device and keeps its state. */
  void apply(DeviceTable table) {
    for (int i = 0; i < devices.size(); i++) {
      devices.get(i).speed(table.devices().get(i).speed());
    }
  }

  /** Releases all waiting operations. */
  void release() {
    devices.forEach(device -> device.speed(VolumeSpeed.unlimited()));
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, FileIoProvider.OPERATION operation) {
    if (CHANGES.contains(operation)) {
      if (operation != FileIoProvider.OPERATION.OPEN || !currentBlock(volume).isSent()) {
        serve(volume, 0, VolumeSpeed.Access.WRITE);
      }
    } else if (operation == FileIoProvider.OPERATION.DELETE) {
      serveDeletion(volume);
    }
  }

  @Override
  public void beforeFileIo(FsVolumeSpi volume, FileIoProvider.OPERATION operation, long length) {
    if (operation == FileIoProvider.OPERATION.FLUSH || volume == null) {
      return;
    }
    boolean write = operation == FileIoProvider.OPERATION.WRITE;
    CurrentBlock block = currentBlock(volume);
    if (write) {
      block.written(length);
    } else if (block.isSent()) {
      if (!block.read(length)) {
        count(volume, readBytes, length);
        readAhead(volume, length);
      }
      return;
    }
    count(volume, write ? writtenBytes : readBytes, length);
    serve(volume, length, write ? VolumeSpeed.Access.WRITE : VolumeSpeed.Access.DIRECT);
  }

  /** Returns the block of the current thread, which FileIoProvider does not pass. */
  private CurrentBlock currentBlock(FsVolumeSpi volume) {
    if (pageCache.isEmpty() || volume == null || speed(volume).mergedBytes() == 0) {
      return CurrentBlock.NONE;
    }
    String name = Thread.currentThread().getName();
    CurrentBlock block = blocks.get();
    if (block == null || !block.isOf(name)) {
      block = CurrentBlock.of(name, pageCache.get());
      blocks.set(block);
    }
    return block;
  }

  private void count(FsVolumeSpi volume, AtomicLongArray counters, long bytes) {
    if (bytes > 0) {
      below(volume).forEach(device -> counters.addAndGet(device, bytes));
    }
  }

  /** Reads ahead in pieces, so that other operations proceed between them. */
  private void readAhead(FsVolumeSpi volume, long bytes) {
    long piece = (long) Math.ceil(speed(volume).mergedBytes());
    for (long left = bytes; left > 0; left -= piece) {
      serve(volume, Math.min(left, piece), VolumeSpeed.Access.READ_AHEAD);
    }
  }

  /** Returns the speed of the volume itself, without its controllers. */
  private VolumeSpeed speed(FsVolumeSpi volume) {
    return devices.get(below(volume).get(0)).speed();
  }

  private List<Integer> below(FsVolumeSpi volume) {
    return byVolume.computeIfAbsent(volume, this::devicesOf);
  }

  private void serveDeletion(FsVolumeSpi volume) {
    try {
      occupy(volume, 0, VolumeSpeed.Access.WRITE);
    } catch (IOException e) {
      // The caller expects no exception, but the result false.
    }
  }

  private void serve(FsVolumeSpi volume, long bytes, VolumeSpeed.Access access) {
    try {
      occupy(volume, bytes, access);
    } catch (IOException e) {
      throw undeclared(e);
    }
  }

  /** Occupies all devices of the volume at the same time and waits for the slowest one. */
  private void occupy(FsVolumeSpi volume, long bytes, VolumeSpeed.Access access)
      throws IOException {
    if (volume == null) {
      return;
    }
    List<Integer> below = below(volume);
    List<SlowDevice.Operation> operations = new ArrayList<>(below.size());
    for (int device : below) {
      operations.add(devices.get(device).enter(bytes, access));
    }
    for (int i = 0; i < below.size(); i++) {
      devices.get(below.get(i)).await(operations.get(i));
    }
  }

  private List<Integer> devicesOf(FsVolumeSpi volume) {
    Path directory = Path.of(volume.getStorageLocation().getUri());
    return IntStream.range(0, devices.size())
        .filter(device -> directories.get(device).contains(directory))
        .boxed()
        .toList();
  }

  /** Throws an undeclared exception. The hook declares none, but its callers expect this one. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException undeclared(Throwable failure) throws E {
    throw (E) failure;
  }
}
