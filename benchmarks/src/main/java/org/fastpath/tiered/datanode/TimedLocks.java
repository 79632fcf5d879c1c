package org.fastpath.tiered.datanode;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataSetLockManager;

/**
 * The locks of a DataNode with a clock at each wait, so that a {@link DatasetOperation} knows how
 * much of its time was one. Thread-safe.
 */
public final class TimedLocks extends DataSetLockManager {
  /** The key that says which {@link Kind} a DataNode has. */
  public static final String KIND = "benchmark.dataset-locks";

  private final DataSetLockManager locks;
  private final boolean volumesShared;

  /** Whose locks they are. */
  public enum Kind {
    /** HDFS's. */
    STOCK,
    /** Ours, {@link TieredDatasetFactory}. */
    PATIENT,
    /**
     * Ours, and nobody excludes others from a volume: what locks finer than a volume could gain at
     * most. Nothing that is worth keeping may be written so.
     */
    UNLOCKED
  }

  private TimedLocks(Configuration conf, DataSetLockManager locks, boolean volumesShared) {
    super(conf);
    this.locks = locks;
    this.volumesShared = volumesShared;
  }

  /** Puts them into a DataNode that has no dataset yet. */
  public static void install(DataNode dataNode, Configuration conf) throws IOException {
    Kind kind = conf.getEnum(KIND, Kind.STOCK);
    if (kind != Kind.STOCK) {
      TieredDatasetFactory.installLocks(dataNode, conf);
    }
    TimedLocks timed =
        new TimedLocks(conf, dataNode.getDataSetLockManager(), kind == Kind.UNLOCKED);
    try {
      Field field = DataNode.class.getDeclaredField("dataSetLockManager");
      field.setAccessible(true);
      field.set(dataNode, timed);
    } catch (ReflectiveOperationException e) {
      throw new IOException("locks cannot be timed", e);
    }
    DatasetOperation.publish();
  }

  private static AutoCloseDataSetLock timed(Supplier<AutoCloseDataSetLock> acquisition) {
    long begin = System.nanoTime();
    AutoCloseDataSetLock lock = acquisition.get();
    DatasetOperation.waited(System.nanoTime() - begin);
    return lock;
  }

  @Override
  public AutoCloseDataSetLock readLock(LockLevel level, String... names) {
    return timed(() -> locks.readLock(level, names));
  }

  @Override
  public AutoCloseDataSetLock writeLock(LockLevel level, String... names) {
    return volumesShared && level == LockLevel.VOLUME
        ? readLock(level, names)
        : timed(() -> locks.writeLock(level, names));
  }

  @Override
  public void addLock(LockLevel level, String... names) {
    locks.addLock(level, names);
  }

  @Override
  public void removeLock(LockLevel level, String... names) {
    locks.removeLock(level, names);
  }
}
