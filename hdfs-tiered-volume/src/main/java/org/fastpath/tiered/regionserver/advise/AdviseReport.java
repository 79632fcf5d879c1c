package org.fastpath.tiered.regionserver.advise;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Prints the advice. */
final class AdviseReport {
  private AdviseReport() {}

  static void print(ClusterShape shape, PrintStream out) {
    volumes(shape, out);
    TierAdvice.warnings(shape).forEach(warning -> out.println("Warning: " + warning));
    List<Advice> lines = TierAdvice.of(shape);
    for (String file : List.of(Advice.HBASE, Advice.HDFS)) {
      List<Advice> own = lines.stream().filter(line -> line.file().equals(file)).toList();
      out.println();
      out.println(file);
      own.forEach(
          line -> out.printf("  %s = %s%n      %s%n", line.key(), line.value(), line.reason()));
      out.println();
      own.forEach(
          line ->
              out.printf(
                  "<property><name>%s</name><value>%s</value></property>%n",
                  line.key(), line.value()));
    }
  }

  private static void volumes(ClusterShape shape, PrintStream out) {
    shape
        .volumes()
        .forEach(
            (type, volumes) -> {
              Bandwidth bandwidth = shape.bandwidth().get(type);
              out.printf(
                  Locale.ROOT,
                  "%-8s %4d volumes on %d nodes, %s free of %s, %s/s each (%s)%n",
                  type,
                  volumes.volumes(),
                  volumes.nodes(),
                  size(volumes.freeBytes()),
                  size(volumes.capacityBytes()),
                  size(bandwidth.bytes()),
                  bandwidth.source());
            });
    out.printf(
        "logs on %s, flushes to %s, compactions to %s%s; %d RegionServers with %s of heap and "
            + "%d cores, %d replicas%n",
        shape.wal(),
        shape.flush(),
        shape.compaction(),
        shape.slowestCompaction() == shape.compaction()
            ? ""
            : ", some to " + shape.slowestCompaction(),
        shape.servers(),
        size(shape.heapBytes()),
        shape.cores(),
        shape.replication());
  }

  private static String size(double bytes) {
    return TraditionalBinaryPrefix.long2String(Math.round(bytes), "B", 1);
  }
}
