package org.fastpath.bench.workloads.tiers;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * The tiers of the blocks of HBase's files, and which blocks are misplaced. A log or a store file
 * is misplaced on a tier that its policy does not name. An archived file is misplaced on any tier
 * but the slowest of the case, whatever its policy is.
 */
final class TierPlacement {
  private static final double MEGABYTE = 1 << 20;
  private final Map<String, Double> megabytes = new TreeMap<>();

  /** The kind of a file. */
  enum Kind {
    WAL("/hbase/WALs/"),
    STORE("/hbase/data/default/"),
    ARCHIVE("/hbase/archive/");

    private static final String FAMILY = "/" + Bytes.toString(YcsbRows.FAMILY) + "/";

    private final String directory;

    Kind(String directory) {
      this.directory = directory;
    }

    static Optional<Kind> of(Path path) {
      String name = path.toUri().getPath();
      return Arrays.stream(values())
          .filter(kind -> name.startsWith(kind.directory))
          .filter(kind -> kind == WAL || name.contains(FAMILY))
          .findAny();
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  TierPlacement() {
    Stream.of(Kind.values()).forEach(kind -> megabytes.put("misplaced." + kind.label(), 0.0));
  }

  /** Lists all blocks of all files, like fsck. */
  static TierPlacement of(DistributedFileSystem fs, Tier archive) throws IOException {
    TierPlacement placement = new TierPlacement();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path("/hbase"), true);
    while (next(files)) {
      LocatedFileStatus file = files.next();
      Optional<Kind> kind = Kind.of(file.getPath());
      if (kind.isPresent()) {
        placement.add(fs, kind.get(), file, archive);
      }
    }
    return placement;
  }

  /** Moves to the next file. A directory that was deleted meanwhile has no files. */
  private static boolean next(RemoteIterator<LocatedFileStatus> files) throws IOException {
    while (true) {
      try {
        return files.hasNext();
      } catch (FileNotFoundException e) {
        continue;
      }
    }
  }

  private void add(DistributedFileSystem fs, Kind kind, LocatedFileStatus file, Tier archive)
      throws IOException {
    Tier wanted = archive;
    if (kind != Kind.ARCHIVE) {
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

  void add(Kind kind, Tier tier, long length, Tier wanted) {
    double size = length / MEGABYTE;
    if (length > 0) {
      megabytes.merge("placed." + kind.label() + "." + tier.label(), size, Double::sum);
    }
    megabytes.merge("misplaced." + kind.label(), tier == wanted ? 0 : size, Double::sum);
  }

  /** Returns the megabytes of each kind of files on each tier, and of misplaced ones, by name. */
  Map<String, Double> megabytes() {
    return megabytes;
  }
}
