package org.fastpath.bench.workload;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * Measures what reads cost the RegionServer, in slices: so many reads that a slice takes a moment,
 * and the CPU time of all threads of the process meanwhile. Short slices that alternate between
 * sides see the same machine.
 */
final class ReadMeter {
  private static final long FEWEST = 100;

  private final Testbed testbed;
  private final CachedReads reads;
  private final Duration slice;
  private final Map<Reads, Long> counts = new EnumMap<>(Reads.class);
  private long seed;

  ReadMeter(Testbed testbed, CachedReads reads, Duration slice) {
    this.testbed = testbed;
    this.reads = reads;
    this.slice = slice;
  }

  /** How many slices make that time. */
  int slices(int seconds) {
    return (int) Math.max(1, Duration.ofSeconds(seconds).dividedBy(slice));
  }

  /** From here on, sides read other rows than before; those of one group read the same. */
  void nextGroup() {
    seed++;
  }

  /** Chooses the number of reads of a slice by how long that many took now; for all sides alike. */
  void adjust(Reads kind, DataTable table) throws IOException {
    long count = counts.getOrDefault(kind, FEWEST);
    long begin = System.nanoTime();
    reads.run(kind, table, count, seed);
    double perRead = (double) (System.nanoTime() - begin) / count;
    counts.put(kind, Math.max(FEWEST, Math.round(slice.toNanos() / perRead)));
  }

  /** Reads a slice; returns the CPU time of a read, in its kind's unit. */
  double cost(Reads kind, DataTable table) throws IOException {
    long count = counts.get(kind);
    long pid = testbed.regionServer().pid();
    ThreadTimes before = ThreadTimes.of(pid);
    reads.run(kind, table, count, seed);
    return kind.inUnit((double) ThreadTimes.of(pid).since(before) / count);
  }
}
