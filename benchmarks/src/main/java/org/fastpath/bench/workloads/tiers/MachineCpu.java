package org.fastpath.bench.workloads.tiers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Busy and total CPU time of all cores since the machine started, in ticks of the kernel. */
record MachineCpu(long busy, long all) {
  private static final Path STAT = Path.of("/proc/stat");

  /** Columns of the first line: user, nice, system, idle, iowait, irq, softirq, steal. */
  private static final int COLUMNS = 8;

  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;

  static MachineCpu now() throws IOException {
    try (var lines = Files.lines(STAT)) {
      return parse(lines.findFirst().orElse(""));
    }
  }

  static MachineCpu parse(String line) {
    long[] ticks =
        Arrays.stream(line.split("\\s+"))
            .skip(1)
            .limit(COLUMNS)
            .mapToLong(Long::parseLong)
            .toArray();
    long all = Arrays.stream(ticks).sum();
    return new MachineCpu(all - ticks[IDLE] - ticks[IO_WAIT], all);
  }

  /** Returns the busy part of all cores since {@code earlier}, in percent. */
  double percentSince(MachineCpu earlier) {
    return all == earlier.all ? 0 : 100.0 * (busy - earlier.busy) / (all - earlier.all);
  }
}
