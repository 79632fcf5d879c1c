package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;

/**
 * Describes tables as arguments of a line: {@code families=a,b a.versions=3 b.encoding=DIFF
 * splits=r100}. The attributes of a family start with its name.
 */
final class Schema {
  /** The number of versions if in-memory compactions must not remove cells that are read later. */
  static final int ALL_VERSIONS = 1000;

  private static final String REGION_SERVER = "org.apache.hadoop.hbase.regionserver.";

  private static final Map<String, String> ENGINES =
      Map.of(
          "default", REGION_SERVER + "DefaultStoreEngine",
          "stripe", REGION_SERVER + "StripeStoreEngine",
          "dateTiered", REGION_SERVER + "DateTieredStoreEngine");

  private static final Map<String, BiConsumer<ColumnFamilyDescriptorBuilder, String>> ATTRIBUTES =
      Map.ofEntries(
          Map.entry("versions", (f, v) -> f.setMaxVersions(Integer.parseInt(v))),
          Map.entry("minVersions", (f, v) -> f.setMinVersions(Integer.parseInt(v))),
          Map.entry("ttl", (f, v) -> f.setTimeToLive(Times.TTL_SECONDS)),
          Map.entry("encoding", (f, v) -> f.setDataBlockEncoding(DataBlockEncoding.valueOf(v))),
          Map.entry("bloom", Schema::bloom),
          Map.entry(
              "compression", (f, v) -> f.setCompressionType(Compression.Algorithm.valueOf(v))),
          Map.entry("mob", (f, v) -> f.setMobEnabled(true).setMobThreshold(Long.parseLong(v))),
          Map.entry("memory", (f, v) -> f.setInMemoryCompaction(MemoryCompactionPolicy.valueOf(v))),
          Map.entry("newVersions", (f, v) -> f.setNewVersionBehavior(Boolean.parseBoolean(v))),
          Map.entry("keepDeleted", (f, v) -> f.setKeepDeletedCells(KeepDeletedCells.valueOf(v))),
          Map.entry("blockCache", (f, v) -> f.setBlockCacheEnabled(Boolean.parseBoolean(v))),
          Map.entry("inMemory", (f, v) -> f.setInMemory(Boolean.parseBoolean(v))),
          Map.entry("compressTags", (f, v) -> f.setCompressTags(Boolean.parseBoolean(v))),
          Map.entry("blockSize", (f, v) -> f.setBlocksize(Integer.parseInt(v))),
          Map.entry("cacheOnWrite", (f, v) -> f.setCacheDataOnWrite(Boolean.parseBoolean(v))),
          Map.entry("evictOnClose", (f, v) -> f.setEvictBlocksOnClose(Boolean.parseBoolean(v))),
          Map.entry("prefetch", (f, v) -> f.setPrefetchBlocksOnOpen(Boolean.parseBoolean(v))));

  private Schema() {}

  private static void bloom(ColumnFamilyDescriptorBuilder family, String value) {
    BloomType type = BloomType.valueOf(value);
    family.setBloomFilterType(type);
    if (type == BloomType.ROWPREFIX_FIXED_LENGTH) {
      family.setConfiguration("RowPrefixBloomFilter.prefix_length", "3");
    }
  }

  /** Returns the table that a line describes. */
  static TableDescriptor table(TableName name, Line line) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (String family : line.list("families")) {
      table.setColumnFamily(changed(ColumnFamilyDescriptorBuilder.of(family), line));
    }
    if (line.has("engine")) {
      table.setValue("hbase.hstore.engine.class", ENGINES.get(line.get("engine")));
      // Stripes and date tiers have their own rules for blocked writes.
      table.setValue("hbase.hstore.blockingStoreFiles", "1000");
    }
    return table.build();
  }

  /** Returns a family with the changed attributes of a line. */
  static ColumnFamilyDescriptor changed(ColumnFamilyDescriptor family, Line line) {
    ColumnFamilyDescriptorBuilder builder = ColumnFamilyDescriptorBuilder.newBuilder(family);
    String prefix = family.getNameAsString() + ".";
    line.arguments()
        .forEach(
            (name, value) -> {
              if (name.startsWith(prefix)) {
                ATTRIBUTES.get(name.substring(prefix.length())).accept(builder, value);
              }
            });
    return builder.build();
  }

  /** Adds the attributes of a random family. */
  static Line random(Line line, String family, Random random) {
    Line result = line;
    result = maybe(result, random, 70, family + ".versions", "1", "2", "3", "5");
    result = maybe(result, random, 60, family + ".encoding", encodings());
    result = maybe(result, random, 50, family + ".bloom", blooms());
    result = maybe(result, random, 30, family + ".compression", "GZ");
    result = maybe(result, random, 60, family + ".blockSize", "64", "256", "1024", "4096");
    result = maybe(result, random, 15, family + ".blockCache", "false");
    result = maybe(result, random, 10, family + ".inMemory", "true");
    result = maybe(result, random, 15, family + ".cacheOnWrite", "true");
    result = maybe(result, random, 10, family + ".evictOnClose", "true");
    result = maybe(result, random, 10, family + ".prefetch", "true");
    result = maybe(result, random, 50, family + ".compressTags", "false");
    result = maybe(result, random, 12, family + ".newVersions", "true");
    result = maybe(result, random, 20, family + ".keepDeleted", "TRUE", "TTL");
    result = maybe(result, random, 12, family + ".mob", "10", "100");
    result = maybe(result, random, 25, family + ".ttl", "true");
    result = maybe(result, random, 15, family + ".memory", "NONE", "BASIC", "EAGER");
    if (result.get(family + ".keepDeleted", "").equals("TTL")) {
      result = result.with(family + ".ttl", "true");
    }
    if (result.has(family + ".ttl")) {
      result = maybe(result, random, 40, family + ".minVersions", "1");
    }
    return result.get(family + ".memory", "").equals("EAGER")
        ? result.with(family + ".versions", ALL_VERSIONS)
        : result;
  }

  private static Line maybe(Line line, Random random, int percent, String name, String... values) {
    return random.nextInt(100) < percent
        ? line.with(name, values[random.nextInt(values.length)])
        : line;
  }

  private static String[] encodings() {
    List<String> names = new ArrayList<>();
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      names.add(encoding.name());
    }
    return names.toArray(String[]::new);
  }

  private static String[] blooms() {
    return new String[] {"NONE", "ROW", "ROWCOL", "ROWPREFIX_FIXED_LENGTH"};
  }
}
