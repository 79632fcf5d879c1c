package org.fastpath.clients.differential;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;

/**
 * Describes failures as outcomes: class and first line, without names that differ between clusters.
 */
final class Errors {
  private static final Pattern RUN = Pattern.compile("d\\d+_");
  private static final Pattern REGION = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern SERVER = Pattern.compile("(localhost|127\\.0\\.0\\.1)[^ ]*");
  private static final Pattern NUMBER = Pattern.compile("\\d{4,}");

  /**
   * The number of actions that failed. A RuntimeException of one get ends the call, and with it all
   * gets of that server.
   */
  private static final Pattern ACTIONS = Pattern.compile("Failed \\d+ actions?");

  private static final Pattern TIMES = Pattern.compile(": \\d+ times?,");
  private static final Pattern DURATION = Pattern.compile("\\d+(\\.\\d+)? ?ms");

  private Errors() {}

  static Outcome outcome(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null
        && (cause instanceof ExecutionException || cause instanceof CompletionException)) {
      cause = cause.getCause();
    }
    return Outcome.of("error " + cause.getClass().getName() + ": " + firstLine(cause.getMessage()));
  }

  private static String firstLine(String message) {
    return message == null ? "" : scrubbed(message.lines().findFirst().orElse(""));
  }

  private static String scrubbed(String text) {
    String line = RUN.matcher(text).replaceAll("");
    line = SERVER.matcher(line).replaceAll("server");
    line = REGION.matcher(line).replaceAll("region");
    line = ACTIONS.matcher(line).replaceAll("Failed actions");
    line = TIMES.matcher(line).replaceAll(",");
    line = DURATION.matcher(line).replaceAll("time");
    return NUMBER.matcher(line).replaceAll("n");
  }
}
