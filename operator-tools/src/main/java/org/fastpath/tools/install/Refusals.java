package org.fastpath.tools.install;

import java.util.ArrayList;
import java.util.List;
import org.fastpath.tools.conf.ConfException;

/** Collects the reasons why an installation cannot work, one line each. */
final class Refusals {
  private final List<String> lines = new ArrayList<>();

  void add(String line) {
    if (!lines.contains(line)) {
      lines.add(line);
    }
  }

  /** Adds a line if something is so. */
  void addIf(boolean refused, String line) {
    if (refused) {
      add(line);
    }
  }

  /** Runs a check; the line of its exception is a refusal. */
  void collect(Runnable check) {
    try {
      check.run();
    } catch (ConfException e) {
      add(e.getMessage());
    }
  }

  List<String> lines() {
    return List.copyOf(lines);
  }
}
