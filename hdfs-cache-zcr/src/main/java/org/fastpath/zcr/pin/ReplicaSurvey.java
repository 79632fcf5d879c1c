package org.fastpath.zcr.pin;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Asks the NameNode for the hosts that have store files in locked memory.
 *
 * <p><b>Calls.</b> The directives of the pool name the stores with such files; a call lists a
 * hundred directives. A listing of the store's directory with locations gives the hosts: one call
 * for about a thousand replicas. It is cheaper for the NameNode than a call per file, which also
 * updates the access time. The result for a store is kept while its directives and their cached
 * bytes are unchanged, at most ten minutes. A survey asks for a limited number of stores and a
 * limited time, changed stores first. So the first survey of a very large pool is incomplete, and
 * later ones cost little more than the directives.
 *
 * <p>Only files at {@code data/NAMESPACE/TABLE/REGION/FAMILY/FILE} below the root directory count,
 * for the region of that directory. Files in the archive that clones read do not count. Files of a
 * parent do not count for the daughters of a split.
 *
 * <p>Not thread-safe.
 */
final class ReplicaSurvey implements CachedReplicas.Survey {
  private static final int MAX_STORES = 10_000;
  private static final Duration MAX_TIME = Duration.ofSeconds(6);
  private static final Duration FRESH = Duration.ofMinutes(10);

  /** Namespace, table, region, family and file. */
  private static final int NAMES = 5;

  private final Configuration conf;
  private final Path root;
  private final PinOptions options;
  private final String data;
  private final int mostStores;
  private final LongSupplier nanoClock;
  private final Map<String, Store> stores = new HashMap<>();

  /**
   * The known state of a store.
   *
   * @param cachedBytes of its pinned files by path, from the directives
   * @param byHost bytes in locked memory
   * @param asked time of the listing
   */
  private record Store(Map<String, Long> cachedBytes, Map<String, Long> byHost, long asked) {}

  ReplicaSurvey(Configuration conf, Path root, PinOptions options) {
    this(conf, root, options, MAX_STORES, System::nanoTime);
  }

  ReplicaSurvey(
      Configuration conf, Path root, PinOptions options, int mostStores, LongSupplier nanoClock) {
    this.conf = conf;
    this.root = root;
    this.options = options;
    this.data = Path.getPathWithoutSchemeAndAuthority(new Path(root, "data")) + Path.SEPARATOR;
    this.mostStores = mostStores;
    this.nanoClock = nanoClock;
  }

  @Override
  public CachedBytes run() throws IOException {
    FileSystem fs = root.getFileSystem(conf);
    if (!(fs instanceof DistributedFileSystem hdfs)) {
      throw new IOException("hbase.rootdir is " + root + ", which is not in HDFS");
    }
    Map<String, Map<String, Long>> pinned =
        byStore(new CacheDirectives(hdfs, root, options).directives());
    stores.keySet().retainAll(pinned.keySet());
    long end = nanoClock.getAsLong() + MAX_TIME.toNanos();
    for (String directory : due(pinned)) {
      if (nanoClock.getAsLong() - end >= 0) {
        break;
      }
      stores.put(
          directory,
          new Store(pinned.get(directory), byHost(hdfs, directory), nanoClock.getAsLong()));
    }
    return known();
  }

  /** Returns the cached bytes by path, by directory of the store. */
  private Map<String, Map<String, Long>> byStore(Map<String, Directive> directives) {
    Map<String, Map<String, Long>> found = new HashMap<>();
    for (Directive directive : directives.values()) {
      if (directive.cachedBytes() > 0 && isStoreFile(directive.path())) {
        found
            .computeIfAbsent(parent(directive.path()), path -> new HashMap<>())
            .put(directive.path(), directive.cachedBytes());
      }
    }
    return found;
  }

  private boolean isStoreFile(String path) {
    return path.startsWith(data)
        && path.substring(data.length()).split(Path.SEPARATOR).length == NAMES;
  }

  /** Returns the stores to ask about: changed ones first, then those asked longest ago. */
  private List<String> due(Map<String, Map<String, Long>> pinned) {
    long stale = nanoClock.getAsLong() - FRESH.toNanos();
    return pinned.keySet().stream()
        .filter(path -> asked(path, pinned.get(path)) <= stale)
        .sorted(Comparator.comparingLong(path -> asked(path, pinned.get(path))))
        .limit(mostStores)
        .toList();
  }

  private long asked(String directory, Map<String, Long> cachedBytes) {
    Store store = stores.get(directory);
    return store == null || !store.cachedBytes().equals(cachedBytes)
        ? Long.MIN_VALUE
        : store.asked();
  }

  private static Map<String, Long> byHost(DistributedFileSystem fs, String directory)
      throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    try {
      RemoteIterator<LocatedFileStatus> files = fs.listLocatedStatus(new Path(directory));
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        if (file.isFile()) {
          add(file.getBlockLocations(), bytes);
        }
      }
    } catch (FileNotFoundException e) {
      // The region was removed after the listing of the directives, which will be removed, too.
    }
    return bytes;
  }

  private static void add(BlockLocation[] blocks, Map<String, Long> bytes) {
    for (BlockLocation block : blocks) {
      for (String host : block.getCachedHosts()) {
        bytes.merge(host.toLowerCase(Locale.ROOT), block.getLength(), Long::sum);
      }
    }
  }

  private CachedBytes known() {
    Map<String, Map<String, Long>> byRegion = new HashMap<>();
    stores.forEach(
        (directory, store) -> {
          Map<String, Long> region =
              byRegion.computeIfAbsent(name(parent(directory)), name -> new HashMap<>());
          store.byHost().forEach((host, bytes) -> region.merge(host, bytes, Long::sum));
        });
    byRegion.values().removeIf(Map::isEmpty);
    return new CachedBytes(byRegion);
  }

  private static String parent(String path) {
    return path.substring(0, path.lastIndexOf(Path.SEPARATOR_CHAR));
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf(Path.SEPARATOR_CHAR) + 1);
  }
}
