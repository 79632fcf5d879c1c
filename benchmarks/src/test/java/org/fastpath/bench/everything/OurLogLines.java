package org.fastpath.bench.everything;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds warnings and errors of our classes in logs of daemons. */
final class OurLogLines {
  private static final Pattern LINE =
      Pattern.compile("\\S+ \\S+ (?:WARN|ERROR|FATAL) +\\[.*?] (\\S+): .*");
  private static final String OURS = "org/fastpath/";
  private static final String CLASS = ".class";

  private OurLogLines() {}

  /** Returns the lines of the logs below a directory. */
  static List<String> in(Path logs, Path jars) throws IOException {
    Set<String> loggers = loggers(jars);
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(logs)) {
      for (Path log : files.toList()) {
        for (String line : Files.readAllLines(log)) {
          Matcher matcher = LINE.matcher(line);
          if (matcher.matches() && loggers.contains(matcher.group(1))) {
            found.add(log.getFileName() + ": " + line);
          }
        }
      }
    }
    return found;
  }

  /** Returns the names of our classes in the log format: the last two parts. */
  private static Set<String> loggers(Path directory) throws IOException {
    Set<String> loggers = new HashSet<>();
    try (Stream<Path> jars = Files.list(directory)) {
      for (Path jar : jars.toList()) {
        try (JarFile file = new JarFile(jar.toFile())) {
          file.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.startsWith(OURS) && name.endsWith(CLASS))
              .map(name -> name.substring(0, name.length() - CLASS.length()).split("/"))
              .forEach(
                  parts -> loggers.add(parts[parts.length - 2] + "." + parts[parts.length - 1]));
        }
      }
    }
    return loggers;
  }
}
