package org.fastpath.bench.hdfs;

import java.util.List;
import java.util.Map;
import org.fastpath.bench.Layout;

/** The clients whose positional reads are compared. */
final class PreadSides {
  /** What HBase sets for the HDFS client in a RegionServer where short-circuit reads are on. */
  private static final ClientSide HBASE_DEFAULTS =
      ClientSide.stock(
          "hbase-defaults",
          "stock HDFS client as HBase configures it",
          Map.of("dfs.client.read.shortcircuit.buffer.size", Integer.toString(128 << 10)));

  /** Without read-ahead a read no longer goes through a buffer that is filled for the next one. */
  private static final ClientSide BEST =
      HBASE_DEFAULTS.with(
          "stock-best",
          "stock HDFS client at its best, without read-ahead",
          Map.of("dfs.client.cache.readahead", "0"),
          List.of());

  /** The one that the report compares with the others. */
  static final ClientSide OURS =
      BEST.with(
          "ours",
          "reads out of mappings that the process shares",
          Map.of("fs.hdfs.impl", "org.fastpath.zcr.ZeroCopyFileSystem"),
          List.of(Layout.ZCR_JAR));

  private static final ClientSide SLICES =
      OURS.with(
          "ours-slices",
          "slices of these mappings, which copy nothing",
          Map.of(PreadsProbe.READS, PreadsProbe.Reads.SLICED.name()),
          List.of(Layout.ZCR_JAR));

  private static final ClientSide MEMORY =
      BEST.with(
          "memory",
          "one copy out of memory of the process, which no reading that copies is faster than",
          Map.of(PreadsProbe.READS, PreadsProbe.Reads.MEMORY.name()),
          List.of());

  static final List<ClientSide> ALL = List.of(HBASE_DEFAULTS, BEST, OURS, SLICES, MEMORY);

  private PreadSides() {}
}
