package org.fastpath.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The lines at the end of a log that say why a daemon stopped. */
final class LogTail {
  private static final int BYTES = 256 * 1024;
  private static final int LINES = 12;
  private static final int MAX_LINE = 400;
  private static final Pattern RELEVANT =
      Pattern.compile(
          "ERROR|FATAL|Exception|Caused by|OutOfMemory|[Ii]nsufficient memory|Could not (create|"
              + "reserve|find)|Invalid|Unrecognized|already in use|# ");
  private static final Pattern FRAME = Pattern.compile("\\s+at .*|\\s+\\.\\.\\. \\d+ more");

  private LogTail() {}

  /** Returns the last relevant lines; the very last ones if none is relevant. */
  static List<String> of(Path log) {
    List<String> lines = new ArrayList<>();
    for (String line : read(log).split("\n")) {
      if (!line.isBlank() && !FRAME.matcher(line).matches()) {
        lines.add(line.length() > MAX_LINE ? line.substring(0, MAX_LINE) + "…" : line);
      }
    }
    List<String> relevant = lines.stream().filter(line -> RELEVANT.matcher(line).find()).toList();
    return last(relevant.isEmpty() ? lines : relevant);
  }

  private static List<String> last(List<String> lines) {
    return lines.subList(Math.max(0, lines.size() - LINES), lines.size());
  }

  private static String read(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - BYTES);
      byte[] bytes = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "(cannot read " + log + ": " + e.getMessage() + ")";
    }
  }
}
