package org.fastpath.zcr.pin;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The access frequencies of the store files that this server reads.
 *
 * <p>Reads arrive as totals of readers. The first total of a reader counts as nothing, because it
 * consists mostly of the reads at opening. A total below the last one means that the file was
 * opened again, and also counts as nothing. A file can have several readers: after a split both
 * daughters read the parent's file.
 *
 * <p>Thread-safe by a lock: it is used once a round and at the end of a compaction.
 */
final class AccessFrequencies {
  private final long halfLifeMillis;
  private final Map<String, AccessFrequency> byFile = new HashMap<>();
  private final Map<String, Long> totalByReader = new HashMap<>();

  AccessFrequencies(long halfLifeMillis) {
    this.halfLifeMillis = halfLifeMillis;
  }

  /**
   * Adds the reads of a reader.
   *
   * @param reader identifies the reader of the file
   * @param total bytes read since the opening
   */
  synchronized void read(String file, String reader, long total, long now) {
    Long before = totalByReader.put(reader, total);
    boolean known = before != null && before <= total;
    heat(file, now).add(known ? total - before : 0, now);
  }

  /**
   * Passes the frequencies of a compaction's inputs on to its output.
   *
   * @param share the part of the inputs that goes into this file, 0 to 1
   */
  synchronized void inherit(String file, Collection<String> inputs, double share, long now) {
    double sum = inputs.stream().mapToDouble(input -> of(input, now)).sum();
    heat(file, now).add(share * sum, now);
  }

  /** Returns the bytes read of a file, decayed; 0 for an unknown file. */
  synchronized double of(String file, long now) {
    AccessFrequency heat = byFile.get(file);
    return heat == null ? 0 : heat.at(now);
  }

  /** Returns whether a file has been measured too briefly to count as cold. */
  synchronized boolean settling(String file, long now) {
    AccessFrequency heat = byFile.get(file);
    return heat == null || heat.settling(now);
  }

  /** Drops all files and readers except these. */
  synchronized void retain(Set<String> files, Set<String> readers) {
    byFile.keySet().retainAll(files);
    totalByReader.keySet().retainAll(readers);
  }

  private AccessFrequency heat(String file, long now) {
    return byFile.computeIfAbsent(file, name -> new AccessFrequency(halfLifeMillis, now));
  }
}
