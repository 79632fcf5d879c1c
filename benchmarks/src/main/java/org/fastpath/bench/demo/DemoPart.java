package org.fastpath.bench.demo;

import java.io.IOException;

/**
 * A part of the demo: it does one kind of work on the cluster and adds rows to the table. Every
 * part runs once on each side in each round, in the order of {@link DemoParts#all}; a module that
 * has something to show adds its part there.
 */
public interface DemoPart {
  /** What it does, in a word or two: "scan". */
  String title();

  /** Does the work, and reports each figure with {@link DemoRun#row}. */
  void run(DemoRun run) throws IOException;
}
