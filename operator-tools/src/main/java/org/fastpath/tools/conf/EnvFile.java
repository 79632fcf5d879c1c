package org.fastpath.tools.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables that a shell file such as {@code hbase-env.sh} sets.
 *
 * <p>Assignments are understood, with or without {@code export}, quotes, and references to
 * variables. Other commands are skipped, and the branches of conditions are all taken, since only a
 * shell can tell.
 */
public final class EnvFile {
  private static final Pattern ASSIGNMENT =
      Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(\\+?)=(.*)", Pattern.DOTALL);
  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\$(?:([A-Za-z_][A-Za-z0-9_]*)|\\{([A-Za-z_][A-Za-z0-9_]*)(?::?([-+=])([^}]*))?})");

  /** Words that a command may follow. */
  private static final Set<String> BEFORE_COMMANDS =
      Set.of("if", "then", "elif", "else", "while", "until", "do", "{", "!");

  /** Commands whose arguments set variables. */
  private static final Set<String> DECLARATIONS =
      Set.of("export", "declare", "typeset", "readonly", "local");

  /** Commands that set no variable. */
  private static final Set<String> HARMLESS =
      Set.of(":", "[", "[[", "test", "echo", "grep", "egrep");

  private final Map<String, Variable> variables = new LinkedHashMap<>();
  private final List<Other> others = new ArrayList<>();
  private final Map<String, String> given;
  private final Path file;
  private boolean empty;

  /** A command that may set variables in a way that is not understood. */
  private record Other(String words, int line) {}

  /**
   * The last assignment of a variable.
   *
   * @param line number of its line, from 1
   */
  public record Variable(String name, String value, Path file, int line) {
    /** Returns the file's name and the line: {@code hbase-env.sh:3}. */
    public String place() {
      return EnvFile.place(file, line);
    }
  }

  private EnvFile(Path file, Map<String, String> given) {
    this.file = file;
    this.given = given;
  }

  private static String place(Path file, int line) {
    return file.getFileName() + ":" + line;
  }

  /**
   * Reads a file; one that does not exist sets nothing.
   *
   * @param given variables that are set before, such as {@code HBASE_HOME}
   */
  public static EnvFile read(Path file, Map<String, String> given) throws IOException {
    return of(file, Files.exists(file) ? Files.readString(file) : "", given);
  }

  /** Returns the same for the text of a file. */
  public static EnvFile of(Path file, String text, Map<String, String> given) {
    EnvFile env = new EnvFile(file, given);
    env.empty = text.isEmpty();
    ShellWords.read(
        text,
        new ShellWords.Shell() {
          @Override
          public String expand(String part, int line) {
            return env.expand(part, line);
          }

          @Override
          public void command(List<String> words, int line) {
            env.command(words, line);
          }
        });
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

  /**
   * Returns the place of a command that names that text and is not understood. It may set a
   * variable.
   */
  public Optional<String> notUnderstood(String text) {
    return others.stream()
        .filter(other -> other.words.contains(text))
        .findFirst()
        .map(other -> place(file, other.line));
  }

  private void command(List<String> words, int line) {
    int at = start(words);
    boolean declares = at < words.size() && DECLARATIONS.contains(words.get(at));
    for (int i = declares ? at + 1 : at; i < words.size(); i++) {
      Matcher assignment = ASSIGNMENT.matcher(words.get(i));
      if (assignment.matches()) {
        String name = assignment.group(1);
        String before = assignment.group(2).isEmpty() ? "" : value(name);
        set(name, before + assignment.group(3), line);
      } else if (!declares) {
        if (!HARMLESS.contains(words.get(i))) {
          others.add(new Other(String.join(" ", words.subList(i, words.size())), line));
        }
        return;
      }
    }
  }

  /** Returns the index of the first word behind keywords and the pattern of a case. */
  private static int start(List<String> words) {
    int at = words.get(0).equals("case") ? words.indexOf("in") + 1 : 0;
    while (at < words.size()
        && (BEFORE_COMMANDS.contains(words.get(at)) || words.get(at).matches("[^(=]+\\)"))) {
      at++;
    }
    return at;
  }

  private void set(String name, String value, int line) {
    variables.put(name, new Variable(name, value, file, line));
  }

  private String expand(String text, int line) {
    return REFERENCE.matcher(text).replaceAll(m -> Matcher.quoteReplacement(reference(m, line)));
  }

  /**
   * Also {@code ${NAME:-text}}, {@code ${NAME:=text}}, and {@code ${NAME:+text}}, whose text may
   * refer to a variable.
   */
  private String reference(MatchResult match, int line) {
    String name = match.group(1) == null ? match.group(2) : match.group(1);
    String value = value(name);
    String operator = match.group(3);
    if (operator == null || operator.equals("+") == value.isEmpty()) {
      return value;
    }
    String text = expand(match.group(4), line);
    if (operator.equals("=")) {
      set(name, text, line);
    }
    return text;
  }
}
