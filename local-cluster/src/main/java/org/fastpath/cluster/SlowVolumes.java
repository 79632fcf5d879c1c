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
 * Makes a DataNode wait before each operation on a volume for as long as the volume's devices would
 * have taken. The DataNode measures its own times around this, so they show in its metrics.
 *
 * <p>Reads, writes and synchronization go to the devices, and so does whatever changes a directory;
 * questions that a kernel answers from its memory (does a file exist, what is in a directory) do
 * not. A device that fails lets deletions pass, as these have no way to tell of it.
 *
 * <p>With a {@link PageCache} what is sent of a block is asked of the devices only if the kernel
 * has no longer got it, in pieces that it reads ahead, and files are opened for that at no cost. It
 * is of volumes that are written back in pieces, too.
 *
 * <p>Thread-safe. Lives in the DataNode only, see {@link SlowVolumesPlugin}.
 */
final class SlowVolumes extends FaultInjectorFileIoEvents implements SlowVolumesMXBean {
  /** What touches a directory and may fail. */
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
  private final ThreadLocal<BlockInHand> blocks = new ThreadLocal<>();

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

  /** Gives each device its speed; the devices themselves stay what they were. */
  void apply(DeviceTable table) {
    for (int i = 0; i < devices.size(); i++) {
      devices.get(i).speed(table.devices().get(i).speed());
    }
  }

  /** Lets everything go that waits. */
  void release() {
    devices.forEach(device -> device.speed(VolumeSpeed.unlimited()));
  }

  @Override
  public void beforeMetadataOp(FsVolumeSpi volume, FileIoProvider.OPERATION operation) {
    if (CHANGES.contains(operation)) {
      if (operation != FileIoProvider.OPERATION.OPEN || !blockInHand(volume).isSent()) {
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
    BlockInHand block = blockInHand(volume);
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

  /** The block that this thread works on, which FileIoProvider does not say. */
  private BlockInHand blockInHand(FsVolumeSpi volume) {
    if (pageCache.isEmpty() || volume == null || speed(volume).mergedBytes() == 0) {
      return BlockInHand.NONE;
    }
    String name = Thread.currentThread().getName();
    BlockInHand block = blocks.get();
    if (block == null || !block.isOf(name)) {
      block = BlockInHand.of(name, pageCache.get());
      blocks.set(block);
    }
    return block;
  }

  private void count(FsVolumeSpi volume, AtomicLongArray counters, long bytes) {
    if (bytes > 0) {
      below(volume).forEach(device -> counters.addAndGet(device, bytes));
    }
  }

  /** Others get their turn between two pieces. */
  private void readAhead(FsVolumeSpi volume, long bytes) {
    long piece = (long) Math.ceil(speed(volume).mergedBytes());
    for (long left = bytes; left > 0; left -= piece) {
      serve(volume, Math.min(left, piece), VolumeSpeed.Access.READ_AHEAD);
    }
  }

  /** Of the volume itself, whatever is above it. */
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
      // The caller expects none: it would have returned false.
    }
  }

  private void serve(FsVolumeSpi volume, long bytes, VolumeSpeed.Access access) {
    try {
      occupy(volume, bytes, access);
    } catch (IOException e) {
      throw undeclared(e);
    }
  }

  /** All devices of the volume work on it at the same time: it takes as long as the slowest one. */
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

  /** The hook declares no exception, while all who call it for these operations expect this one. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException undeclared(Throwable failure) throws E {
    throw (E) failure;
  }
}
