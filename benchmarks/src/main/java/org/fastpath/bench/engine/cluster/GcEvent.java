package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pause of the garbage collector, as its log tells it.
 *
 * @param millis when it ended, in milliseconds since 1970
 * @param pauseMillis how long all threads of the process stood still
 * @param before megabytes of heap in use when it began
 * @param after megabytes of heap in use when it ended
 */
public record GcEvent(long millis, double pauseMillis, long before, long after) {
  private static final double MEGABYTE = 1L << 20;

  private static final Pattern PAUSE =
      Pattern.compile("\\[(\\d+)ms] GC\\(\\d+\\) Pause .* (\\d+)M->(\\d+)M\\(\\d+M\\) ([\\d.]+)ms");

  /** Makes a JVM write the log that {@link #read} reads. */
  public static String flag(Path log) {
    return "-Xlog:gc:file=" + log + ":timemillis:filecount=0";
  }

  /** Those of the pauses that ended in this time, in milliseconds since 1970. */
  public static List<GcEvent> between(List<GcEvent> events, long begin, long end) {
    return events.stream().filter(gc -> gc.millis > begin && gc.millis <= end).toList();
  }

  /**
   * What a heap grew by between collections, in bytes.
   *
   * @param heapBefore bytes in use at the beginning
   * @param heapAfter bytes in use at the end
   * @param collections all in between
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

  /** All pauses so far, of the JVM that was started last. */
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
