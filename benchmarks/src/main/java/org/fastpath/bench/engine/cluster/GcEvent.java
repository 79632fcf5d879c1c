package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** Returns the flag that makes a JVM write the log for {@link #read}. */
  public static String flag(Path log) {
    return "-Xlog:gc:file=" + log + ":timemillis:filecount=0";
  }

  /** Returns the pauses that ended in this time, in milliseconds since 1970. */
  public static List<GcEvent> between(List<GcEvent> events, long begin, long end) {
    return events.stream().filter(gc -> gc.millis > begin && gc.millis <= end).toList();
  }

  /**
   * Returns the allocated bytes, which is the growth of the heap between collections.
   *
   * @param heapBefore bytes in use at the beginning
   * @param heapAfter bytes in use at the end
   * @param collections all collections in between
   */
  public static double allocated(long heapBefore, long heapAfter, List<GcEvent> collections) {
    double allocated = 0;
    double inUse = heapBefore;
    for (GcEvent gc : collections) {
      allocated += gc.before() * MEGABYTE - inUse;
      inUse = gc.after() * MEGABYTE;
    }
    return allocated + heapAfter - inUse;
  }

  /** Returns all pauses so far of the JVM that was started last. */
  public static List<GcEvent> read(Path log) throws IOException {
    List<GcEvent> events = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      Matcher pause = PAUSE.matcher(line);
      if (pause.matches()) {
        events.add(
            new GcEvent(
                Long.parseLong(pause.group(1)),
                Double.parseDouble(pause.group(4)),
                Long.parseLong(pause.group(2)),
                Long.parseLong(pause.group(3))));
      }
    }
    return events;
  }
}
