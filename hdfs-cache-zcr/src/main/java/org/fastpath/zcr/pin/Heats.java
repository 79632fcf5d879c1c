package org.fastpath.zcr.pin;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The heat of every store file that this server reads.
 *
 * <p>What is read arrives as totals of readers. The first total of a reader, and one that is less
 * than the last because the file was opened again, counts as nothing: most of it is what opening
 * reads, which is all of a small file. A file can have several readers: after a split both
 * daughters read the file of their parent.
 *
 * <p>Thread-safe; used once a round and at the end of a compaction, so a lock does.
 */
final class Heats {
  private final long halfLifeMillis;
  private final Map<String, Heat> byFile = new HashMap<>();
  private final Map<String, Long> totalByReader = new HashMap<>();

  Heats(long halfLifeMillis) {
    this.halfLifeMillis = halfLifeMillis;
  }

  /**
   * Takes notice of a reader.
   *
   * @param reader tells it from other readers of the file
   * @param total bytes that it has read since it was opened
   */
  synchronized void read(String file, String reader, long total, long now) {
    Long before = totalByReader.put(reader, total);
    boolean known = before != null && before <= total;
    heat(file, now).add(known ? total - before : 0, now);
  }

  /**
   * Inputs of a compaction become this file, which will be read as they were.
   *
   * @param share the part of them that goes into this file, 0 to 1
   */
  synchronized void inherit(String file, Collection<String> inputs, double share, long now) {
    double sum = inputs.stream().mapToDouble(input -> of(input, now)).sum();
    heat(file, now).add(share * sum, now);
  }

  /** Bytes read of a file, decayed; zero for one that is not known. */
  synchronized double of(String file, long now) {
    Heat heat = byFile.get(file);
    return heat == null ? 0 : heat.at(now);
  }

  /** Whether a file has not been measured for long enough to be called cold. */
  synchronized boolean settling(String file, long now) {
    Heat heat = byFile.get(file);
    return heat == null || heat.settling(now);
  }

  /** Forgets all files and readers but these. */
  synchronized void retain(Set<String> files, Set<String> readers) {
    byFile.keySet().retainAll(files);
    totalByReader.keySet().retainAll(readers);
  }

  private Heat heat(String file, long now) {
    return byFile.computeIfAbsent(file, name -> new Heat(halfLifeMillis, now));
  }
}
