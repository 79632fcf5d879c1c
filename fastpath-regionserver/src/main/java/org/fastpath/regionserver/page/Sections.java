package org.fastpath.regionserver.page;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Writes the tables of the page, from the current MBeans. */
final class Sections {
  /** The metrics of the HMaster's keeper and mover. */
  private static final String MOVES = "/jmx?qry=Hadoop:service=HBase,name=Master,sub=Tier*";

  private final Beans beans;

  Sections(Beans beans) {
    this.beans = beans;
  }

  void writeFeatures(Html html) {
    html.markup("<h2>Features</h2>");
    html.head("Feature", "State", "Why not", "Jar", "Version");
    for (Beans.Record feature : beans.features()) {
      String state = feature.text("State");
      html.markup("<tr>").cell(feature.text("Feature"));
      html.markup("<td><span class=\"state ").text(state.toLowerCase(Locale.ROOT));
      html.markup("\">").text(state.toLowerCase(Locale.ROOT).replace('_', ' '));
      html.markup("</span></td>").cell(feature.text("Reason")).cell(feature.text("Module"));
      html.cell(feature.text("Version")).markup("</tr>\n");
    }
    html.endTable();
  }

  void writeCache(Html html) {
    Beans.Record cache =
        beans.record(
            "OffHeapCache",
            "capacityBytes",
            "cachedBytes",
            "cachedBlockCount",
            "pinnedBytes",
            "hitCount",
            "missCount");
    Map<String, Beans.Record> cached = byTable("OffHeapCacheTables");
    Map<String, Beans.Record> pinned = byTable("HdfsCacheTables");
    TreeSet<String> tables = new TreeSet<>(cached.keySet());
    tables.addAll(pinned.keySet());
    html.markup("<h2>Memory by table</h2>");
    if (cache.isThere()) {
      long reads = cache.number("hitCount") + cache.number("missCount");
      html.markup("<p>The off-heap cache holds ")
          .text(Html.bytes(cache.number("cachedBytes")))
          .markup(" of ")
          .text(Html.bytes(cache.number("capacityBytes")))
          .markup(" in ")
          .text(Html.count(cache.number("cachedBlockCount")))
          .markup(" blocks. Since the start ")
          .text(reads == 0 ? "nothing was read" : hits(cache.number("hitCount"), reads))
          .markup(".</p>");
    }
    if (tables.isEmpty()) {
      html.markup("<p class=\"none\">No table holds memory here.</p>");
      return;
    }
    long capacity = Math.max(1, cache.number("capacityBytes"));
    html.head(
        "Table", "#In the cache", "#Share", "#Blocks", "#Pinned files", "#Asked for", "#Locked");
    for (String table : tables) {
      Beans.Record blocks = cached.getOrDefault(table, Beans.Record.EMPTY);
      Beans.Record pins = pinned.getOrDefault(table, Beans.Record.EMPTY);
      html.markup("<tr>")
          .cell(table)
          .number(Html.bytes(blocks.number("cachedBytes")))
          .number(Html.percent(100.0 * blocks.number("cachedBytes") / capacity))
          .number(Html.count(blocks.number("cachedBlockCount")))
          .number(Html.count(pins.number("pinnedFileCount")))
          .number(Html.bytes(pins.number("pinnedBytes")))
          .number(Html.bytes(pins.number("cachedBytes")))
          .markup("</tr>\n");
    }
    html.endTable();
  }

  private static String hits(long hits, long reads) {
    return Html.percent(100.0 * hits / reads) + " of the blocks asked for were found";
  }

  private Map<String, Beans.Record> byTable(String source) {
    Map<String, Beans.Record> tables = new TreeMap<>();
    for (Beans.Record record : beans.records(source)) {
      if (!record.table().isEmpty()) {
        tables.put(record.table(), record);
      }
    }
    return tables;
  }

  void writePins(Html html) {
    Beans.Record pins =
        beans.record(
            "HdfsCachePins",
            "wantedFileCount",
            "pinnedFileCount",
            "limitBytes",
            "pinCount",
            "unpinCount",
            "refusedPinCount");
    Beans.Record mappings =
        beans.record(
            "ZeroCopy", "mappingCount", "mappedBytes", "zeroCopyReadCount", "copiedReadCount");
    Beans.Record blocks =
        beans.record("MappedBlocks", "mappedBlockCount", "mappedBlockBytes", "unmappedBlockCount");
    html.markup("<h2>Pins and mappings</h2>");
    html.head("", "#Now", "#Since the start");
    row(html, "Files that are to be pinned", Html.count(pins.number("wantedFileCount")), "");
    row(
        html,
        "Files pinned, and pinned so far",
        Html.count(pins.number("pinnedFileCount")),
        Html.count(pins.number("pinCount")));
    row(html, "Files unpinned", "", Html.count(pins.number("unpinCount")));
    row(html, "Pins that the NameNode refused", "", Html.count(pins.number("refusedPinCount")));
    row(html, "Limit of the cluster's pins", Html.bytes(pins.number("limitBytes")), "");
    row(html, "HDFS blocks mapped", Html.count(mappings.number("mappingCount")), "");
    row(html, "Bytes of them", Html.bytes(mappings.number("mappedBytes")), "");
    row(
        html,
        "HFile blocks served from mappings",
        "",
        Html.count(blocks.number("mappedBlockCount"))
            + ", "
            + Html.bytes(blocks.number("mappedBlockBytes")));
    row(
        html,
        "HFile blocks looked for there and read by HBase",
        "",
        Html.count(blocks.number("unmappedBlockCount")));
    html.endTable();
  }

  private static void row(Html html, String name, String now, String total) {
    html.markup("<tr>").cell(name).number(now).number(total).markup("</tr>\n");
  }

  /**
   * Writes the files by tier, and the moves.
   *
   * @param master the address of the HMaster's web interface, empty if it is not known
   */
  void writeTiers(Html html, String master) {
    List<Beans.Record> tiers = beans.records("TierTables");
    Map<String, Long> files = Sample.sums(tiers, Sections::tier, "fileCount");
    Map<String, Long> bytes = Sample.sums(tiers, Sections::tier, "replicaBytes");
    Map<String, Long> flushed = Sample.sums(tiers, Sections::tier, "flushedBytes");
    Map<String, Long> compacted = Sample.sums(tiers, Sections::tier, "compactedBytes");
    Map<String, Long> loaded = Sample.sums(tiers, Sections::tier, "loadedBytes");
    html.markup("<h2>Store files by tier</h2>");
    if (files.isEmpty()) {
      html.markup("<p class=\"none\">The tier guard has not surveyed any store file yet.</p>");
    } else {
      double all = Math.max(1, bytes.values().stream().mapToLong(Long::longValue).sum());
      html.head(
          "Tier", "", "#Files", "#Replicas", "#Flushed to it", "#Compacted to it", "#Loaded to it");
      for (String tier : files.keySet()) {
        html.markup("<tr>").cell(tier);
        html.markup(
            "<td><svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\"><rect"
                + " class=\"s0\" width=\"%.1f\" height=\"8\"/></svg></td>",
            100 * bytes.get(tier) / all);
        html.number(Html.count(files.get(tier)))
            .number(Html.bytes(bytes.get(tier)))
            .number(Html.bytes(flushed.get(tier)))
            .number(Html.bytes(compacted.get(tier)))
            .number(Html.bytes(loaded.get(tier)))
            .markup("</tr>\n");
      }
      html.endTable();
    }
    writeMoves(html, master);
  }

  private void writeMoves(Html html, String master) {
    Beans.Record rules =
        beans.record(
            "Tiering",
            "placedFileCount",
            "unplacedFileCount",
            "queuedFileCount",
            "unqueuedFileCount");
    html.markup("<p>The HMaster moves files at rest");
    if (!master.isEmpty()) {
      html.markup(": <a href=\"").text(master + MOVES).markup("\">its counts</a>");
    }
    html.markup(".</p>");
    html.head("Rules and moves", "#Since the start");
    total(html, "Files written by a rule", rules.number("placedFileCount"));
    total(html, "Files without their rule's policy", rules.number("unplacedFileCount"));
    total(html, "Bulk-loaded files handed to the mover", rules.number("queuedFileCount"));
    total(html, "Of these, refused", rules.number("unqueuedFileCount"));
    html.endTable();
  }

  private static void total(Html html, String name, long count) {
    html.markup("<tr>").cell(name).number(Html.count(count)).markup("</tr>\n");
  }

  void writeWrites(Html html) {
    Beans.Record guard =
        beans.record(
            "TierGuard",
            "ingestRateBytes",
            "capacityRateBytes",
            "blockedPermilleCount",
            "blockedRegionCount",
            "fullStoreCount",
            "overloadedCount",
            "overloadCount",
            "updatesBlockedMillis",
            "allowedRateBytes");
    Beans.Record server = beans.record("Server", "updatesBlockedTime", "blockedRequestCount");
    html.markup("<h2>Blocked writes</h2>");
    html.head("", "#Now", "#Since the start");
    row(
        html,
        "Time for which writes were held up",
        Html.percent(guard.number("blockedPermilleCount") / 10.0),
        Html.count(server.number("updatesBlockedTime")) + " ms");
    row(html, "Writes refused", "", Html.count(server.number("blockedRequestCount")));
    row(html, "Regions that take none", Html.count(guard.number("blockedRegionCount")), "");
    row(html, "Stores with too many files", Html.count(guard.number("fullStoreCount")), "");
    row(html, "Written to logs", Html.bytes(guard.number("ingestRateBytes")) + "/s", "");
    row(html, "Flushes take", Html.bytes(guard.number("capacityRateBytes")) + "/s", "");
    row(
        html,
        "Overloads",
        guard.number("overloadedCount") == 0 ? "none" : "one",
        Html.count(guard.number("overloadCount")));
    html.endTable();
  }

  private static String tier(Beans.Record record) {
    return record.text("storageType");
  }
}
