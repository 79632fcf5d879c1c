package org.fastpath.bench.engine;

import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * Tells a person what goes on: one line per step, with the time since the start, and while a step
 * lasts how far it is and how fast. On a terminal the line of a step is rewritten in place;
 * elsewhere a new one is printed every few seconds.
 *
 * <p>Not thread-safe.
 */
public final class Console {
  /** Set by {@code bin/fastpath} when standard output is a terminal. */
  private static final String TERMINAL = "fastpath.terminal";

  private static final long TERMINAL_INTERVAL_NANOS = 200_000_000L;
  private static final long FILE_INTERVAL_NANOS = 5_000_000_000L;
  private static final String ERASE_LINE = "\r\033[K";

  private final PrintStream out;
  private final boolean terminal;
  private final long start = System.nanoTime();

  /** Writes to standard output. */
  public Console() {
    this(System.out, Boolean.getBoolean(TERMINAL));
  }

  Console(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Says nothing. */
  public static Console silent() {
    return new Console(new PrintStream(OutputStream.nullOutputStream()), false);
  }

  /** Prints a line with the time. */
  public void line(String text) {
    out.println((terminal ? ERASE_LINE : "") + elapsed() + text);
    out.flush();
  }

  /** Prints lines as they are. */
  public void print(String text) {
    out.print(text);
    out.flush();
  }

  /** Begins a step; the line is printed for good by {@link Step#done}. */
  public Step step(String title, String unit) {
    return new Step(title, unit);
  }

  /** The time since this console was made. */
  public Duration sinceStart() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private String elapsed() {
    Duration time = sinceStart();
    return String.format(Locale.ROOT, "[%2d:%02d] ", time.toMinutes(), time.toSecondsPart());
  }

  /** Something that takes a while. */
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

    /** Shows how far the step is, if enough time has passed since it last did. */
    public void update(long done, long total) {
      long now = System.nanoTime();
      if (now - shown < (terminal ? TERMINAL_INTERVAL_NANOS : FILE_INTERVAL_NANOS)) {
        return;
      }
      shown = now;
      String line = elapsed() + title + progress(done, total, now);
      if (terminal) {
        out.print(ERASE_LINE + line);
      } else {
        out.println(line);
      }
      out.flush();
    }

    private String progress(long done, long total, long now) {
      if (total == 0) {
        return " ...";
      }
      return String.format(
          Locale.ROOT, " ... %,d of %,d %s, %s", done, total, unit, rate(done, now));
    }

    private String rate(long done, long now) {
      return String.format(Locale.ROOT, "%,.0f %s/s", done / ((now - begin) / 1e9), unit);
    }

    /** Ends the step with what came of it. */
    public void done(String outcome) {
      line(title + ": " + outcome);
    }

    /** Ends the step with its rate. */
    public void done(long count) {
      done(String.format(Locale.ROOT, "%,d %s, %s", count, unit, rate(count, System.nanoTime())));
    }
  }
}
