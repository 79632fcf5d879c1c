package org.fastpath.bench.workload;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.fastpath.cluster.DaemonOptions;

/**
 * One side of a comparison: which RegionServer and which DataNode do the work. ZooKeeper, NameNode
 * and HMaster are stock on every side; none of them sees the data.
 *
 * @param id the name on the command line, in results and in the report
 * @param description what it is, for the report
 * @param hbaseNative whether the RegionServer finds libhadoop
 * @param hdfsNative whether the DataNode finds libhadoop
 * @param ours whether our jars are in front of both class paths
 */
public record Side(
    String id, String description, boolean hbaseNative, boolean hdfsNative, boolean ours) {

  /** The four sides of HBASE-11927's story, ours being the fourth. */
  public static final List<Side> STORY =
      List.of(
          new Side("A", "stock, libhadoop neither in HBase nor in HDFS", false, false, false),
          new Side("B", "stock, libhadoop in HDFS only", false, true, false),
          new Side("C", "stock, libhadoop in both HBase and HDFS", true, true, false),
          new Side(
              "D", "our jars in front in HBase and HDFS, libhadoop in both", true, true, true));

  /** What an operator runs today: the published jars with Hadoop's native library. */
  public static final Side STOCK =
      new Side("stock", "HBase and HDFS as published, libhadoop loaded", true, true, false);

  /** The same with our jars in front. */
  public static final Side OURS =
      new Side("ours", "the same with our jars in front of the class paths", true, true, true);

  /** Whether the other side's processes are started in the same way. */
  boolean sameServers(Side other) {
    return hbaseNative == other.hbaseNative && hdfsNative == other.hdfsNative && ours == other.ours;
  }

  /** What the RegionServer is started with. */
  Consumer<DaemonOptions> regionServer(List<Path> jars) {
    return options -> apply(options, hbaseNative, jars);
  }

  /** What the DataNode is started with. */
  Consumer<DaemonOptions> dataNode(List<Path> jars) {
    return options -> apply(options, hdfsNative, jars);
  }

  private void apply(DaemonOptions options, boolean libhadoop, List<Path> jars) {
    options.libhadoop(libhadoop);
    if (ours) {
      options.prependToClasspath(jars);
    }
  }
}
