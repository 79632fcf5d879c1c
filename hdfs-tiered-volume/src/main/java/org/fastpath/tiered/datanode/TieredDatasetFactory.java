package org.fastpath.tiered.datanode;

import static org.fastpath.tiered.Values.whole;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory;
import org.fastpath.common.FeatureStatus;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.TierFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes HDFS's dataset for a DataNode with volumes of several types and speeds. Its key is
 *
 * <pre>{@code
 * dfs.datanode.fsdataset.factory = org.fastpath.tiered.datanode.TieredDatasetFactory
 * }</pre>
 *
 * <p>The dataset has other locks: a slow disk no longer stalls the whole DataNode when a replica is
 * copied or moved to it. {@link PatientWriteLock} explains the problem and the solution. The
 * dataset also has other file I/O: see {@link TieredFileIoProvider}.
 *
 * <p>The dataset itself is HDFS's. A part that cannot be replaced stays HDFS's. The locks stay
 * HDFS's if its lock trace is enabled. The log has one line for each case.
 */
public final class TieredDatasetFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {
  static final String PATIENCE_MILLIS = "dfs.fastpath.pool-lock.patience-millis";

  private static final Logger LOG = LoggerFactory.getLogger(TieredDatasetFactory.class);

  /** The field of a DataNode. */
  private static final String LOCKS = "dataSetLockManager";

  private static final String FILE_IO = "fileIoProvider";

  /** A literal name, because not all versions of Hadoop have a constant for it. */
  private static final String FAIR = "dfs.datanode.lock.fair";

  private static final String TRACE = "dfs.datanode.lockmanager.trace";
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final FeatureStatus STATUS = TierFeatures.TIERED_DATASET;

  /** Whether Hadoop's code is the verified code. The first DataNode of the process checks it. */
  private static final class Support {
    static final boolean VERIFIED = TierFeatures.check(STATUS);
    static final String DIFFERENCE = STATUS.reason();

    private Support() {}
  }

  /** Called by HDFS. */
  public TieredDatasetFactory() {}

  /**
   * Makes the dataset.
   *
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  @Override
  public FsDatasetSpi<?> newInstance(DataNode dataNode, DataStorage storage, Configuration conf)
      throws IOException {
    STATUS.active();
    installLocks(dataNode, conf);
    installFileIo(dataNode, conf);
    FsDatasetSpi.Factory<?> stock = new FsDatasetFactory();
    return stock.newInstance(dataNode, storage, conf);
  }

  /** Replaces the locks before a dataset exists, so that no thread holds one of the old locks. */
  static void installLocks(DataNode dataNode, Configuration conf) {
    long patience =
        TimeUnit.MILLISECONDS.toNanos(
            whole(conf, PATIENCE_MILLIS, "30000", 0, HOUR_MILLIS, "milliseconds"));
    if (conf.getBoolean(TRACE, false)) {
      STATUS.fallenBack("the locks stay HDFS's because " + TRACE + " is set");
      LOG.warn(
          "The dataset keeps HDFS's locks because {} is set; unset it to get the locks of "
              + "this module",
          TRACE);
      return;
    }
    install(
        dataNode,
        LOCKS,
        () -> {
          LockMetrics.register();
          return new PoolLocks(conf, conf.getBoolean(FAIR, true), patience);
        });
  }

  /**
   * Replaces the provider before a dataset exists, because volumes and replicas keep a reference to
   * it.
   */
  private static void installFileIo(DataNode dataNode, Configuration conf) {
    KernelAdvice advice = KernelAdvice.of(conf);
    install(
        dataNode, FILE_IO, () -> new TieredFileIoProvider(dataNode.getFileIoProvider(), advice));
  }

  /** Makes the replacement of a part of a DataNode. */
  @FunctionalInterface
  private interface Part {
    Object make() throws ReflectiveOperationException;
  }

  private static void install(DataNode dataNode, String name, Part part) {
    if (!Support.VERIFIED) {
      STATUS.fallenBack(Support.DIFFERENCE);
      return;
    }
    try {
      Field field = DataNode.class.getDeclaredField(name);
      field.setAccessible(true);
      field.set(dataNode, part.make());
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      STATUS.fallenBack(name + " stays HDFS's: it cannot be replaced: " + e);
      LOG.warn("{} stays HDFS's: it cannot be replaced", name, e);
    }
  }
}
