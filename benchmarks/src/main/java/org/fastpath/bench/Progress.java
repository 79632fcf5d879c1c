package org.fastpath.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** One line per fork, with an estimate of what is left. */
final class Progress {
  private final PrintStream out;
  private final int total;
  private final long start = System.nanoTime();
  private int done;

  Progress(PrintStream out, int total) {
    this.out = out;
    this.total = total;
  }

  void done(int round, Trial trial, String score) {
    done++;
    out.printf(
        "[%d/%d, %s left] round %d  %s %s  %s  %s%n",
        done, total, left(), round + 1, trial.name(), trial.shared(), trial.side(), score);
  }

  private String left() {
    Duration left = Duration.ofNanos((System.nanoTime() - start) / done * (total - done));
    return left.toMinutes() + ":" + String.format(Locale.ROOT, "%02d", left.toSecondsPart());
  }
}
