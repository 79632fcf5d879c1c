package org.fastpath.bench.workload;

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
record GcEvent(long millis, double pauseMillis, long before, long after) {
  private static final Pattern PAUSE =
      Pattern.compile("\\[(\\d+)ms] GC\\(\\d+\\) Pause .* (\\d+)M->(\\d+)M\\(\\d+M\\) ([\\d.]+)ms");

  /** Makes a JVM write the log that {@link #read} reads. */
  static String flag(Path log) {
    return "-Xlog:gc:file=" + log + ":timemillis:filecount=0";
  }

  /** All pauses so far, of the JVM that was started last. */
  static List<GcEvent> read(Path log) throws IOException {
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
