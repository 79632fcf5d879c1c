package org.apache.hadoop.hdfs.server.datanode;

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.fastpath.tiered.datanode.VolumeIoListener;

/**
 * Reports the operations of a {@link FileIoProvider} to a listener. It replaces the stock hook,
 * which has no plug-in point and package-private types, and calls it.
 *
 * <p>FileIoProvider carries one number from the beginning of an operation to its end. The stock
 * hook's number, milliseconds or 0, is not negative. Ours is negative:
 *
 * <pre>
 * | 1 | System.nanoTime(), 61 bits          | moves data, 1 bit | the stock hook measures, 1 bit |
 * </pre>
 *
 * <p>Thread-safe, without a lock or an allocation.
 */
public final class VolumeIoEvents extends ProfilingFileIoEvents {
  private static final String FIELD = "profilingEventHook";
  private static final long OURS = Long.MIN_VALUE;
  private static final long TRANSFER = 2;
  private static final long STOCK = 1;
  private static final int FLAG_BITS = 2;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ProfilingFileIoEvents stock;
  private final VolumeIoListener listener;

  private VolumeIoEvents(ProfilingFileIoEvents stock, VolumeIoListener listener) {
    super(null);
    this.stock = stock;
    this.listener = listener;
  }

  /**
   * Reports all operations to a listener from now on. A provider that already has a listener keeps
   * it.
   *
   * @throws ReflectiveOperationException if the provider of this Hadoop version differs
   */
  public static synchronized void install(FileIoProvider provider, VolumeIoListener listener)
      throws ReflectiveOperationException {
    Field field = FileIoProvider.class.getDeclaredField(FIELD);
    field.setAccessible(true);
    Object hook = field.get(provider);
    if (!(hook instanceof VolumeIoEvents)) {
      field.set(provider, new VolumeIoEvents((ProfilingFileIoEvents) hook, listener));
    }
  }

  @Override
  public long beforeMetadataOp(FsVolumeSpi volume, OPERATION op) {
    long begin = listener.begin(volume, op);
    long stockBegin = stock.beforeMetadataOp(volume, op);
    return begin < 0 ? stockBegin : ours(op, begin, stockBegin);
  }

  @Override
  public void afterMetadataOp(FsVolumeSpi volume, OPERATION op, long begin) {
    if (isOurs(begin)) {
      listener.end(volume, op, nanos(begin), 0);
    }
    stock.afterMetadataOp(volume, op, stockBegin(begin));
  }

  @Override
  public long beforeFileIo(FsVolumeSpi volume, OPERATION op, long len) {
    long begin = listener.begin(volume, op);
    long stockBegin = stock.beforeFileIo(volume, op, len);
    return begin < 0 ? stockBegin : ours(op, begin, stockBegin);
  }

  @Override
  public void afterFileIo(FsVolumeSpi volume, OPERATION op, long begin, long len) {
    if (isOurs(begin)) {
      listener.end(volume, op, nanos(begin), len);
    }
    stock.afterFileIo(volume, op, stockBegin(begin), len);
  }

  @Override
  public void onFailure(FsVolumeSpi volume, long begin) {
    if (isOurs(begin)) {
      listener.failed(volume, (begin & TRANSFER) != 0, nanos(begin));
    }
    stock.onFailure(volume, stockBegin(begin));
  }

  private static long ours(OPERATION op, long nanos, long stockBegin) {
    long transfer = VolumeIoListener.isTransfer(op) ? TRANSFER : 0;
    return OURS | nanos << FLAG_BITS | transfer | (stockBegin == 0 ? 0 : STOCK);
  }

  private static boolean isOurs(long begin) {
    return begin < 0;
  }

  private static long nanos(long begin) {
    return (begin & ~OURS) >>> FLAG_BITS;
  }

  /**
   * Returns the result of the stock hook: {@link org.apache.hadoop.util.Time#monotonicNow} or 0.
   */
  private static long stockBegin(long begin) {
    if (!isOurs(begin)) {
      return begin;
    }
    return (begin & STOCK) == 0 ? 0 : nanos(begin) / NANOS_PER_MILLI;
  }

  @Override
  public void setSampleRangeMax(int fileIOSamplingPercentage) {
    stock.setSampleRangeMax(fileIOSamplingPercentage);
  }

  @Override
  public boolean getDiskStatsEnabled() {
    return stock.getDiskStatsEnabled();
  }

  @Override
  public int getSampleRangeMax() {
    return stock.getSampleRangeMax();
  }
}
