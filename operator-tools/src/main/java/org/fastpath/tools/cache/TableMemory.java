package org.fastpath.tools.cache;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.fastpath.tools.jmx.JmxPage;
import org.fastpath.tools.jmx.Records;

/**
 * The memory that tables have, and what they need to be in memory whole: locked memory of DataNodes
 * or block cache. Bytes in locked memory need no room in the cache, unless the table is compressed.
 */
final class TableMemory {
  private static final String PINS = "Hadoop:service=HBase,name=RegionServer,sub=HdfsCacheTables";
  private static final String CACHE =
      "Hadoop:service=HBase,name=RegionServer,sub=OffHeapCacheTables";
  private static final String CACHED_BYTES = "cachedBytes";

  private final int lockedReplicas;
  private final Map<TableName, Long> locked = new HashMap<>();
  private final Map<TableName, Long> cached = new HashMap<>();

  /**
   * The store files of a table, as its RegionServers report them: in whole megabytes a region.
   *
   * @param compressed whether a family is compressed, so that mappings do not serve it
   * @param stored bytes in HDFS, one replica
   * @param unpacked bytes of all blocks once unpacked
   */
  record Files(TableName table, boolean compressed, long stored, long unpacked) {
    Files plus(long moreStored, long moreUnpacked) {
      return new Files(table, compressed, stored + moreStored, unpacked + moreUnpacked);
    }
  }

  TableMemory(int lockedReplicas) {
    this.lockedReplicas = lockedReplicas;
  }

  /** Adds the memory that a RegionServer shows. */
  void add(JmxPage page, String address) throws IOException {
    add(locked, page.bean(address, PINS));
    add(cached, page.bean(address, CACHE));
  }

  private static void add(Map<TableName, Long> sums, JsonNode bean) {
    for (String record : Records.suffixes(bean, "table")) {
      TableName table =
          TableName.valueOf(
              bean.path("tag.namespace" + record).asText(),
              bean.path("tag.table" + record).asText());
      sums.merge(table, bean.path(CACHED_BYTES + record).asLong(), Long::sum);
    }
  }

  /** Returns a line of headings, and one for each table. */
  List<String> lines(List<Files> tables) {
    List<String> lines = new ArrayList<>();
    lines.add(
        line("table", "store files", "locked now", "pinned whole", "cached now", "cached whole"));
    for (Files files : tables) {
      long lockedNow = locked.getOrDefault(files.table, 0L);
      long mapped = files.compressed ? 0 : lockedNow / lockedReplicas;
      lines.add(
          line(
                  files.table.getNameAsString(),
                  text(files.stored),
                  text(lockedNow),
                  text(files.stored * lockedReplicas),
                  text(cached.getOrDefault(files.table, 0L)),
                  text(Math.max(0, files.unpacked - mapped)))
              + (files.compressed ? "  compressed: only the cache serves its blocks" : ""));
    }
    return lines;
  }

  private static String line(String table, String... sizes) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-32s", table));
    for (String size : sizes) {
      line.append(String.format(Locale.ROOT, " %13s", size));
    }
    return line.toString();
  }

  private static String text(long bytes) {
    return TraditionalBinaryPrefix.long2String(bytes, "B", 1);
  }
}
