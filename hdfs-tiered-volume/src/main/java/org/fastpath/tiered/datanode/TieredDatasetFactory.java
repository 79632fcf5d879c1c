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
 * HDFS's dataset for a DataNode with volumes of several types and speeds. Set as
 *
 * <pre>{@code
 * dfs.datanode.fsdataset.factory = org.fastpath.tiered.datanode.TieredDatasetFactory
 * }</pre>
 *
 * <p>It has other locks: a slow disk no longer holds up the whole DataNode when a replica is copied
 * or moved to it. {@link PatientWriteLock} says why it does, and what is different. And it may
 * advise the kernel by the type of a volume: see {@link TypedFileIoProvider}.
 *
 * <p>The dataset is HDFS's own. What cannot be put in is HDFS's, too, and so are the locks if
 * HDFS's trace of them is asked for; the log says so.
 */
public final class TieredDatasetFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {
  static final String PATIENCE_MILLIS = "dfs.fastpath.pool-lock.patience-millis";

  private static final Logger LOG = LoggerFactory.getLogger(TieredDatasetFactory.class);

  /** Fields of a DataNode. */
  private static final String LOCKS = "dataSetLockManager";

  private static final String FILE_IO = "fileIoProvider";

  /** By name, as not all versions of Hadoop have constants for them. */
  private static final String FAIR = "dfs.datanode.lock.fair";

  private static final String TRACE = "dfs.datanode.lockmanager.trace";
  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);

  private static final FeatureStatus STATUS = TierFeatures.TIERED_DATASET;

  /** Whether Hadoop's code is the code that this was verified with; asked by the first DataNode. */
  private static final class Support {
    static final boolean VERIFIED = TierFeatures.check(STATUS);
    static final String DIFFERENCE = STATUS.reason();

    private Support() {}
  }

  /** Made by HDFS. */
  public TieredDatasetFactory() {}

  /**
   * Makes the dataset.
   *
   * @throws InvalidValueException naming key, value and what is allowed
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

  /** Before there is a dataset, so that nobody has a lock of the old ones. */
  static void installLocks(DataNode dataNode, Configuration conf) {
    long patience =
        TimeUnit.MILLISECONDS.toNanos(
            whole(conf, PATIENCE_MILLIS, "30000", 0, HOUR_MILLIS, "milliseconds"));
    if (conf.getBoolean(TRACE, false)) {
      STATUS.fallenBack("the locks are HDFS's: " + TRACE + " is set");
      LOG.warn("The dataset has HDFS's locks: {} is set", TRACE);
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

  /** Before there is a dataset, whose volumes and replicas keep what they find. */
  private static void installFileIo(DataNode dataNode, Configuration conf) {
    KernelAdvice advice = KernelAdvice.of(conf);
    if (advice.leavesOut()) {
      install(
          dataNode, FILE_IO, () -> new TypedFileIoProvider(dataNode.getFileIoProvider(), advice));
    }
  }

  /** Makes what takes the place of a part of a DataNode. */
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
