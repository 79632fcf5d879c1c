package org.fastpath.tiered.regionserver.guard;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.fastpath.metrics.AggregateSource;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.Registration;
import org.fastpath.metrics.SourceBuilder;

/**
 * The metrics sources {@code TierTables} and {@code TierPlacement}. The first has a record for each
 * table and storage type of its files. The second has one for each pair of a wanted and an actual
 * type. Not thread-safe.
 */
final class TierMeters implements AutoCloseable {
  private static final AggregateSource TABLES =
      Metrics.aggregate(
          "TierTables",
          "Store files of the regions open here, by table and type of storage",
          "namespace",
          "table",
          "storageType");
  private static final AggregateSource PLACEMENTS =
      Metrics.aggregate(
          "TierPlacement",
          "Replicas of store files written here, by the type that was wanted and the one got",
          "wantedType",
          "actualType");

  private final Map<Tier, TableTier> tables = new ConcurrentHashMap<>();
  private final Map<LocatedFile.Placement, Placed> placements = new ConcurrentHashMap<>();

  /** A table on a type of storage. */
  record Tier(TableName table, StorageType type) {}

  /** A record of the source {@code TierTables}. */
  static final class TableTier {
    private final Map<FileKind, Counter> written;
    private final Counter reads;
    private final Registration registration;
    private volatile long files;
    private volatile long bytes;

    private TableTier(Tier tier) {
      SourceBuilder builder =
          TABLES.pseudoSource(
              tier.table.getNamespaceAsString(),
              tier.table.getQualifierAsString(),
              tier.type.name());
      builder.gauge("fileCount", "Store files with a replica on the type", () -> files);
      builder.gauge("replicaBytes", "Bytes of their replicas on it", () -> bytes);
      written =
          Map.of(
              FileKind.FLUSHED,
              builder.counter("flushedBytes", "Bytes of replicas that flushes have written to it"),
              FileKind.COMPACTED,
              builder.counter(
                  "compactedBytes", "Bytes of replicas that compactions have written to it"),
              FileKind.LOADED,
              builder.counter("loadedBytes", "Bytes of replicas that were bulk-loaded to it"));
      reads =
          builder.counter(
              "fileReadRowCount",
              "Rows read from stores with files on it, except from memstores alone");
      registration = builder.register();
    }

    void size(long filesNow, long bytesNow) {
      files = filesNow;
      bytes = bytesNow;
    }

    void written(FileKind kind, long count) {
      written.get(kind).add(count);
    }

    void read(long rows) {
      reads.add(rows);
    }
  }

  /** A record of the source {@code TierPlacement}. */
  static final class Placed {
    private final Counter files;
    private final Counter bytes;
    private final Registration registration;

    private Placed(LocatedFile.Placement placement) {
      SourceBuilder builder =
          PLACEMENTS.pseudoSource(placement.wanted().name(), placement.actual().name());
      files = builder.counter("writtenFileCount", "Store files with such a replica");
      bytes = builder.counter("writtenBytes", "Bytes of these replicas");
      registration = builder.register();
    }
  }

  TableTier of(Tier tier) {
    return tables.computeIfAbsent(tier, TableTier::new);
  }

  void placed(LocatedFile.Placement placement, long bytes) {
    Placed placed = placements.computeIfAbsent(placement, Placed::new);
    placed.files.increment();
    placed.bytes.add(bytes);
  }

  /** Shows these sizes and removes tables without a region here. */
  void show(Map<Tier, FileSurvey.Size> sizes, Set<TableName> present) {
    sizes.forEach((tier, size) -> of(tier).size(size.files(), size.bytes()));
    tables.forEach(
        (tier, shown) -> {
          if (!present.contains(tier.table)) {
            tables.remove(tier);
            shown.registration.close();
          } else if (!sizes.containsKey(tier)) {
            shown.size(0, 0);
          }
        });
  }

  @Override
  public void close() {
    tables.values().forEach(shown -> shown.registration.close());
    tables.clear();
    placements.values().forEach(shown -> shown.registration.close());
    placements.clear();
  }
}
