package org.fastpath.tools.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables that a shell file such as {@code hbase-env.sh} sets.
 *
 * <p>Lines of assignments are understood, with or without {@code export}, quotes, and references to
 * variables. Other commands are skipped, and the branches of conditions are all taken, since only a
 * shell can tell.
 */
public final class EnvFile {
  private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=(.*)");
  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\$(?:([A-Za-z_][A-Za-z0-9_]*)|\\{([A-Za-z_][A-Za-z0-9_]*)(?::?([-+])([^}]*))?})");

  private final Map<String, Variable> variables = new LinkedHashMap<>();
  private final Map<String, String> given;
  private boolean empty;

  /**
   * The last assignment of a variable.
   *
   * @param line number of its line, from 1
   */
  public record Variable(String name, String value, Path file, int line) {
    /** Returns the file's name and the line: {@code hbase-env.sh:3}. */
    public String place() {
      return file.getFileName() + ":" + line;
    }
  }

  private EnvFile(Map<String, String> given) {
    this.given = given;
  }

  /**
   * Reads a file; one that does not exist sets nothing.
   *
   * @param given variables that are set before, such as {@code HBASE_HOME}
   */
  public static EnvFile read(Path file, Map<String, String> given) throws IOException {
    return of(file, Files.exists(file) ? Files.readAllLines(file) : List.of(), given);
  }

  /** Returns the same for the lines of a file. */
  public static EnvFile of(Path file, List<String> lines, Map<String, String> given) {
    EnvFile env = new EnvFile(given);
    env.empty = lines.isEmpty();
    for (int i = 0; i < lines.size(); i++) {
      env.line(lines.get(i), file, i + 1);
    }
    return env;
  }

  /** Returns whether the file is missing or has no line. */
  public boolean isEmpty() {
    return empty;
  }

  /** Returns the last assignment of a variable. */
  public Optional<Variable> variable(String name) {
    return Optional.ofNullable(variables.get(name));
  }

  /** Returns the value of a variable; empty if it is not set. */
  public String value(String name) {
    Variable variable = variables.get(name);
    return variable == null ? given.getOrDefault(name, "") : variable.value();
  }

  private void line(String line, Path file, int number) {
    for (String word : ShellWords.of(line, this::expand)) {
      Matcher assignment = ASSIGNMENT.matcher(word);
      if (assignment.matches()) {
        String name = assignment.group(1);
        variables.put(name, new Variable(name, assignment.group(2), file, number));
      } else if (!word.equals("export")) {
        return;
      }
    }
  }

  private String expand(String text) {
    return REFERENCE.matcher(text).replaceAll(m -> Matcher.quoteReplacement(reference(m)));
  }

  /** Also {@code ${NAME:-text}}, and {@code ${NAME:+text}}, whose text may refer to a variable. */
  private String reference(MatchResult match) {
    String name = match.group(1) == null ? match.group(2) : match.group(1);
    String value = value(name);
    String operator = match.group(3);
    boolean text = operator != null && operator.equals("+") != value.isEmpty();
    return text ? expand(match.group(4)) : value;
  }
}
