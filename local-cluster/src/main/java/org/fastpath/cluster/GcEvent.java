package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pause of the garbage collector, from its log.
 *
 * @param millis its end, in milliseconds since 1970
 * @param pauseMillis the time that all threads of the process stopped
 * @param before megabytes of heap in use at its start
 * @param after megabytes of heap in use at its end
 */
public record GcEvent(long millis, double pauseMillis, long before, long after) {
  private static final double MEGABYTE = 1L << 20;

  private static final Pattern PAUSE =
      Pattern.compile("\\[(\\d+)ms] GC\\(\\d+\\) Pause .* (\\d+)M->(\\d+)M\\(\\d+M\\) ([\\d.]+)ms");

  public static String flag(Path log) {
    return "-Xlog:gc:file=" + log + ":timemillis:filecount=0";
  }

  /** Returns the pauses that ended in this time, in milliseconds since 1970. */
  public static List<GcEvent> between(List<GcEvent> events, long begin, long end) {
    return events.stream().filter(gc -> gc.millis > begin && gc.millis <= end).toList();
  }

  /** Returns the allocated bytes: the growth of the heap in use between these collections. */
  public static double allocated(long heapBefore, long heapAfter, List<GcEvent> collections) {
    double allocated = 0;
    double inUse = heapBefore;
    for (GcEvent gc : collections) {
      allocated += gc.before() * MEGABYTE - inUse;
      inUse = gc.after() * MEGABYTE;
    }
    return allocated + heapAfter - inUse;
  }

  public static List<GcEvent> read(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .map(PAUSE::matcher)
        .filter(Matcher::matches)
        .map(
            pause ->
                new GcEvent(
                    Long.parseLong(pause.group(1)),
                    Double.parseDouble(pause.group(4)),
                    Long.parseLong(pause.group(2)),
                    Long.parseLong(pause.group(3))))
        .toList();
  }
}
