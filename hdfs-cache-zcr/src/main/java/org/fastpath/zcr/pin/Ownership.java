package org.fastpath.zcr.pin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which directives of the shared pool this server decides about: those of files that its regions
 * read, or did read or wrote and no longer do. When a region moves away, its directives are left to
 * the server that opens it, which finds them at the NameNode; when its server is gone for good,
 * their leases end. Two servers never decide about one file, but for the short time in which both
 * daughters of a split, on different servers, read a file of their parent.
 *
 * <p>Not thread-safe.
 */
final class Ownership {
  private final Map<String, Set<String>> regionsByFile = new HashMap<>();

  /** Looks at what is open, and forgets what is neither open nor pinned. */
  void update(OpenFiles open, Set<String> pinned) {
    Map<String, Set<String>> now = new HashMap<>();
    for (OpenFile file : open.files()) {
      now.computeIfAbsent(file.path(), path -> new HashSet<>()).add(file.region());
    }
    regionsByFile.keySet().retainAll(pinned);
    regionsByFile.putAll(now);
  }

  /** Whether this server decides about a path. */
  boolean owns(String path, OpenFiles open) {
    Set<String> readers = regionsByFile.get(path);
    return readers == null
        ? open.regions().contains(regionOf(path))
        : open.regions().containsAll(readers);
  }

  /** The region that a file was written by: {@code .../TABLE/REGION/FAMILY/FILE}. */
  private static String regionOf(String path) {
    List<String> names = List.of(path.split("/"));
    return names.size() < 3 ? "" : names.get(names.size() - 3);
  }
}
