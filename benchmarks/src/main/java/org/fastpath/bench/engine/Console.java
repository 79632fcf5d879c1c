package org.fastpath.bench.engine;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows the progress: one line per step with the time since the start. During a step, the line
 * shows its progress and rate. A terminal's line is rewritten in place. Elsewhere a new line is
 * printed every few seconds. Steps of several threads take turns.
 */
public final class Console {
  private static final long TERMINAL_INTERVAL_NANOS = 200_000_000L;
  private static final long FILE_INTERVAL_NANOS = 5_000_000_000L;
  private static final String ERASE_LINE = "\r\033[K";

  private final PrintStream out;
  private final boolean terminal;
  private final long start = System.nanoTime();

  /** Writes to standard output; {@code bin/fastpath} sets the property if it is a terminal. */
  public Console() {
    this(System.out, Boolean.getBoolean("fastpath.terminal"));
  }

  Console(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  public static Console silent() {
    return new Console(new PrintStream(OutputStream.nullOutputStream()), false);
  }

  public void line(String text) {
    out.println((terminal ? ERASE_LINE : "") + elapsed() + text);
    out.flush();
  }

  public void print(String text) {
    out.print(text);
    out.flush();
  }

  /** Begins a step; {@link Step#done} prints its final line. */
  public Step step(String title, String unit) {
    return new Step(title, unit);
  }

  public Duration sinceStart() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private String elapsed() {
    Duration time = sinceStart();
    return String.format(Locale.ROOT, "[%2d:%02d] ", time.toMinutes(), time.toSecondsPart());
  }

  /** A step of a run. */
  public final class Step {
    private final String title;
    private final String unit;
    private final long begin = System.nanoTime();
    private long shown;

    private Step(String title, String unit) {
      this.title = title;
      this.unit = unit;
      shown = terminal ? 0 : begin;
      update(0, 0);
    }

    /** Shows the progress of the step if enough time has passed since the last update. */
    public void update(long done, long total) {
      long now = System.nanoTime();
      if (now - shown < (terminal ? TERMINAL_INTERVAL_NANOS : FILE_INTERVAL_NANOS)) {
        return;
      }
      shown = now;
      String progress =
          total == 0
              ? " ..."
              : String.format(
                  Locale.ROOT, " ... %,d of %,d %s, %s", done, total, unit, rate(done, now));
      print((terminal ? ERASE_LINE : "") + elapsed() + title + progress + (terminal ? "" : "\n"));
    }

    private String rate(long done, long now) {
      return String.format(Locale.ROOT, "%,.0f %s/s", done / ((now - begin) / 1e9), unit);
    }

    public void done(String outcome) {
      line(title + ": " + outcome);
    }

    /** Ends the step and prints its rate. */
    public void done(long count) {
      done(String.format(Locale.ROOT, "%,d %s, %s", count, unit, rate(count, System.nanoTime())));
    }
  }
}
