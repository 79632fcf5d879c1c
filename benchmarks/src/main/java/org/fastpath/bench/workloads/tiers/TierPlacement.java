package org.fastpath.bench.workloads.tiers;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The tiers of the blocks of HBase's files, and which blocks are misplaced. A log or a store file
 * is misplaced on a tier that its policy does not name. An archived file is misplaced on any tier
 * but the slowest of the case, whatever its policy is.
 */
final class TierPlacement {
  private static final double MEGABYTE = 1 << 20;
  private static final String ARCHIVE = "archive";

  private static final Map<String, String> KINDS =
      Map.of(
          "wal",
          "/hbase/WALs/.*",
          "store",
          "/hbase/data/default/.*/family/.*",
          ARCHIVE,
          "/hbase/archive/.*/family/.*");

  /** The megabytes of each kind of files on each tier, and of misplaced ones, by name. */
  final Map<String, Double> megabytes = new TreeMap<>();

  TierPlacement() {
    KINDS.keySet().forEach(kind -> megabytes.put("misplaced." + kind, 0.0));
  }

  /** Returns the kind of a file; empty for other files than logs and store files. */
  static Optional<String> kind(Path path) {
    String name = path.toUri().getPath();
    return KINDS.keySet().stream().filter(kind -> name.matches(KINDS.get(kind))).findAny();
  }

  /** Lists all blocks of all files, like fsck. */
  static TierPlacement of(DistributedFileSystem fs, Tier archive) throws IOException {
    TierPlacement placement = new TierPlacement();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path("/hbase"), true);
    while (hasNext(files)) {
      LocatedFileStatus file = files.next();
      Optional<String> kind = kind(file.getPath());
      if (kind.isPresent()) {
        placement.add(fs, kind.get(), file, archive);
      }
    }
    return placement;
  }

  /** Moves to the next file. A directory that was deleted meanwhile has no files. */
  private static boolean hasNext(RemoteIterator<LocatedFileStatus> files) throws IOException {
    try {
      return files.hasNext();
    } catch (FileNotFoundException e) {
      return hasNext(files);
    }
  }

  private void add(DistributedFileSystem fs, String kind, LocatedFileStatus file, Tier archive)
      throws IOException {
    Tier wanted = archive;
    if (!kind.equals(ARCHIVE)) {
      try {
        wanted = Tier.of(fs.getStoragePolicy(file.getPath()).getStorageTypes()[0]);
      } catch (FileNotFoundException e) {
        return;
      }
    }
    for (BlockLocation block : file.getBlockLocations()) {
      for (StorageType type : block.getStorageTypes()) {
        add(kind, Tier.of(type), block.getLength(), wanted);
      }
    }
  }

  void add(String kind, Tier tier, long length, Tier wanted) {
    double size = length / MEGABYTE;
    if (length > 0) {
      megabytes.merge("placed." + kind + "." + tier.label, size, Double::sum);
    }
    megabytes.merge("misplaced." + kind, tier == wanted ? 0 : size, Double::sum);
  }
}
