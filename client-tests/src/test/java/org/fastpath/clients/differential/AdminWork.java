package org.fastpath.clients.differential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactType;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Executes an operator's operations on tables. Each call returns when no operation is under way.
 */
final class AdminWork {
  private static final long PATIENCE_SECONDS = 120;
  private static final String MINIMUM_FILES = "hbase.hstore.compaction.min";

  /**
   * A number of files at which no compaction starts by itself; both clusters have the same number.
   */
  static final String NEVER = "1000";

  private final Tables tables;
  private final Quiet quiet;

  AdminWork(Tables tables) {
    this.tables = tables;
    quiet = new Quiet(tables);
  }

  private Admin admin() {
    return tables.admin();
  }

  private TableName name(Line line) {
    return tables.name(line, "t");
  }

  /** Waits until nothing is under way in any table. */
  void awaitQuiet() throws Exception {
    for (TableName table : tables.existing()) {
      quiet.await(table);
    }
  }

  Outcome create(Line line) throws IOException {
    TableDescriptor table = Schema.table(name(line), line);
    byte[][] splits = line.list("splits").stream().map(Words::bytes).toArray(byte[][]::new);
    tables.created(table.getTableName());
    if (splits.length == 0) {
      admin().createTable(table);
    } else {
      admin().createTable(table, splits);
    }
    return Outcome.of("done");
  }

  Outcome flush(Line line) throws IOException {
    if (line.has("family")) {
      admin().flush(name(line), Bytes.toBytes(line.get("family")));
    } else {
      admin().flush(name(line));
    }
    return Outcome.of("done");
  }

  Outcome compact(Line line) throws Exception {
    TableName table = name(line);
    if (line.has("mob")) {
      admin().majorCompact(table, CompactType.MOB);
    } else if (line.has("minor")) {
      minorCompaction(table, line.get("minor"));
    } else if (line.has("family")) {
      admin().majorCompact(table, Bytes.toBytes(line.get("family")));
    } else {
      admin().majorCompact(table);
    }
    quiet.await(table);
    return Outcome.of("done");
  }

  /**
   * Runs a minor compaction. With another minimum of files, the region requests a compaction when
   * it is reopened.
   */
  private void minorCompaction(TableName table, String files) throws Exception {
    TableDescriptor before = admin().getDescriptor(table);
    admin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(before).setValue(MINIMUM_FILES, files).build());
    quiet.await(table);
    admin().compact(table);
    quiet.await(table);
    admin().modifyTable(before);
  }

  Outcome split(Line line) throws Exception {
    TableName table = name(line);
    byte[] row = Words.bytes(line.get("row"));
    for (RegionInfo region : admin().getRegions(table)) {
      if (region.containsRow(row) && !Bytes.equals(region.getStartKey(), row)) {
        admin()
            .splitRegionAsync(region.getRegionName(), row)
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        quiet.await(table);
        return Outcome.of("done");
      }
    }
    return Outcome.of("done nothing");
  }

  Outcome merge(Line line) throws Exception {
    TableName table = name(line);
    List<RegionInfo> regions = admin().getRegions(table);
    int first = (int) line.number("region", 0);
    if (first + 1 >= regions.size()) {
      return Outcome.of("done nothing");
    }
    // HBase refuses a region that still has references of an earlier split or merge.
    admin().runCatalogJanitor();
    byte[][] names = {
      regions.get(first).getEncodedNameAsBytes(), regions.get(first + 1).getEncodedNameAsBytes()
    };
    admin().mergeRegionsAsync(names, true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    quiet.await(table);
    admin().runCatalogJanitor();
    return Outcome.of("done");
  }

  Outcome snapshot(Line line) throws IOException {
    String snapshot = tables.snapshot(line);
    admin().snapshot(snapshot, name(line));
    tables.snapshotTaken(snapshot);
    return Outcome.of("done");
  }

  Outcome cloneSnapshot(Line line) throws Exception {
    TableName table = tables.name(line, "to");
    tables.created(table);
    admin().cloneSnapshot(tables.snapshot(line), table);
    quiet.await(table);
    return Outcome.of("done");
  }

  Outcome restore(Line line) throws Exception {
    TableName table = name(line);
    admin().disableTable(table);
    try {
      admin().restoreSnapshot(tables.snapshot(line));
    } finally {
      admin().enableTable(table);
    }
    quiet.await(table);
    return Outcome.of("done");
  }

  Outcome alter(Line line) throws Exception {
    TableName table = name(line);
    TableDescriptor before = admin().getDescriptor(table);
    TableDescriptorBuilder after = TableDescriptorBuilder.newBuilder(before);
    for (ColumnFamilyDescriptor family : before.getColumnFamilies()) {
      if (line.get("remove", "").equals(family.getNameAsString())) {
        after.removeColumnFamily(family.getName());
      } else {
        after.modifyColumnFamily(Schema.changed(family, line));
      }
    }
    if (line.has("add") && !before.hasColumnFamily(Bytes.toBytes(line.get("add")))) {
      after.setColumnFamily(
          Schema.changed(ColumnFamilyDescriptorBuilder.of(line.get("add")), line));
    }
    admin().modifyTable(after.build());
    quiet.await(table);
    return Outcome.of("done");
  }

  Outcome truncate(Line line) throws IOException {
    TableName table = name(line);
    admin().disableTable(table);
    admin().truncateTable(table, true);
    return Outcome.of("done");
  }

  /** Moves a region to the next server. */
  Outcome move(Line line) throws Exception {
    TableName table = name(line);
    List<RegionInfo> regions = admin().getRegions(table);
    RegionInfo region = regions.get((int) line.number("region", 0) % regions.size());
    List<ServerName> servers = new ArrayList<>(admin().getRegionServers());
    servers.sort(null);
    try (RegionLocator locator = tables.connection().getRegionLocator(table)) {
      ServerName now = locator.getRegionLocation(region.getStartKey(), true).getServerName();
      ServerName next = servers.get((servers.indexOf(now) + 1) % servers.size());
      admin().move(region.getEncodedNameAsBytes(), next);
    }
    quiet.await(table);
    return Outcome.of("done");
  }
}
