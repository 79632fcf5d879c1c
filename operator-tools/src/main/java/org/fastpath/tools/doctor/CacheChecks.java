package org.fastpath.tools.doctor;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.fastpath.tools.conf.DirectMemory;
import org.fastpath.tools.conf.SiteProperty;
import org.fastpath.tools.conf.Sizes;

/** Checks of the off-heap block cache and of the memory that it needs. */
final class CacheChecks {
  private static final String SIZE = "hbase.fastpath.offheap-cache.size";
  private static final String FILE = "hbase.fastpath.offheap-cache.file";
  private static final String ENGINE = "hbase.bucketcache.ioengine";
  private static final String EXTERNAL = "hbase.blockcache.use.external";
  private static final String FIRST_LEVEL = "hfile.block.cache.size";
  private static final String MEMSTORE = "hbase.regionserver.global.memstore.size";
  private static final String EVICT = "hbase.rs.evictblocksonclose";
  private static final double DEFAULT_SHARE = 0.4;
  private static final double SHARES = 0.8;
  private static final long GIGABYTE = 1L << 30;

  private CacheChecks() {}

  static List<Check> all() {
    return List.of(
        Check.hbase(CacheChecks::bucketCache),
        Check.hbase(CacheChecks::externalCache),
        Check.hbase(CacheChecks::firstLevel),
        Check.hbase(CacheChecks::size),
        Check.hbase(CacheChecks::shares),
        Check.hbase(CacheChecks::evictOnClose));
  }

  private static boolean on(ConfDirectory directory) {
    return Switch.CACHE.asked(directory);
  }

  private static void bucketCache(ConfDirectory directory, Consumer<Problem> problems) {
    if (on(directory) && directory.has(ENGINE)) {
      SiteProperty property = directory.site().property(ENGINE).orElseThrow();
      problems.accept(
          new Problem(
              Kind.BUCKET_CACHE_BESIDE_OURS,
              property.place(),
              "The off-heap block cache and BucketCache exclude each other: HBase's cache stays, or"
                  + " the RegionServer does not start.",
              RemedyLine.remove(property)));
    }
  }

  private static void externalCache(ConfDirectory directory, Consumer<Problem> problems) {
    if (on(directory) && directory.is(EXTERNAL, "true")) {
      SiteProperty property = directory.site().property(EXTERNAL).orElseThrow();
      problems.accept(
          new Problem(
              Kind.EXTERNAL_CACHE_BESIDE_OURS,
              property.place(),
              "The off-heap block cache and an external cache exclude each other: HBase's cache"
                  + " stays, or the RegionServer does not start.",
              RemedyLine.replace(property, EXTERNAL, "false")));
    }
  }

  private static void firstLevel(ConfDirectory directory, Consumer<Problem> problems) {
    if (on(directory) && share(directory, FIRST_LEVEL) == 0) {
      SiteProperty property = directory.site().property(FIRST_LEVEL).orElseThrow();
      problems.accept(
          new Problem(
              Kind.FIRST_LEVEL_OFF,
              property.place(),
              "The off-heap block cache needs HBase's first level for indexes; the RegionServer"
                  + " does not start.",
              RemedyLine.replace(property, FIRST_LEVEL, "0.1")));
    }
  }

  /**
   * Checks the size. The cache lies in direct memory unless it has a file. Flags may be in a place
   * that the doctor does not read.
   */
  private static void size(ConfDirectory directory, Consumer<Problem> problems) {
    if (!on(directory) || directory.has(FILE) || directory.env().isEmpty()) {
      return;
    }
    OptionalLong size = Sizes.parse(directory.site().value(SIZE, ""));
    OptionalLong direct = JvmMemory.direct(directory.env());
    if (size.isEmpty() && direct.isEmpty()) {
      problems.accept(
          new Problem(
              Kind.CACHE_WITHOUT_SIZE,
              directory.place(Switch.CACHE.key()),
              "Neither "
                  + SIZE
                  + " nor HBASE_OFFHEAPSIZE says how large the cache is; the"
                  + " RegionServer does not start.",
              RemedyLine.set(directory.siteFile(), SIZE, "4g")));
    } else if (size.isPresent() && direct.orElse(0) < DirectMemory.neededFor(size.getAsLong())) {
      problems.accept(tooLittle(directory, size.getAsLong(), direct));
    }
  }

  private static Problem tooLittle(ConfDirectory directory, long size, OptionalLong direct) {
    String allowed = direct.isPresent() ? Sizes.format(direct.getAsLong()) : "not set";
    long gigabytes = (DirectMemory.neededFor(size) + GIGABYTE - 1) / GIGABYTE;
    return new Problem(
        Kind.TOO_LITTLE_DIRECT_MEMORY,
        directory.place(SIZE),
        "The cache takes "
            + Sizes.format(size)
            + ", direct memory is "
            + allowed
            + "; RPC buffers and block data need 1 GB or a tenth more than the cache.",
        RemedyLine.export(directory.envFile(), "HBASE_OFFHEAPSIZE", gigabytes + "g"));
  }

  /**
   * Checks the shares of the heap. HBase needs a fifth of the heap besides memstores and block
   * cache.
   */
  private static void shares(ConfDirectory directory, Consumer<Problem> problems) {
    double cache = share(directory, FIRST_LEVEL);
    double memstore = share(directory, MEMSTORE);
    if (cache + memstore > SHARES + 1e-6) {
      double rest = Math.max(0.1, Math.round((SHARES - memstore) * 100) / 100.0);
      problems.accept(
          new Problem(
              Kind.HEAP_SHARES_TOO_LARGE,
              directory.place(directory.has(MEMSTORE) ? MEMSTORE : FIRST_LEVEL),
              "Memstores and the first level of the block cache take "
                  + cache
                  + " and "
                  + memstore
                  + " of the heap, together more than 0.8; the RegionServer does not start.",
              RemedyLine.set(directory.siteFile(), FIRST_LEVEL, Double.toString(rest))));
    }
  }

  private static double share(ConfDirectory directory, String key) {
    try {
      return Double.parseDouble(directory.site().value(key, Double.toString(DEFAULT_SHARE)));
    } catch (NumberFormatException e) {
      return DEFAULT_SHARE;
    }
  }

  private static void evictOnClose(ConfDirectory directory, Consumer<Problem> problems) {
    if (on(directory) && directory.has(FILE) && directory.is(EVICT, "true")) {
      SiteProperty property = directory.site().property(EVICT).orElseThrow();
      problems.accept(
          new Problem(
              Kind.WARM_CACHE_EVICTED_ON_CLOSE,
              property.place(),
              "HBase evicts all blocks when it closes regions, so that the cache's file is empty"
                  + " after a restart.",
              RemedyLine.replace(property, EVICT, "false")));
    }
  }
}
