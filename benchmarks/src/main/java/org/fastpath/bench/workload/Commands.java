package org.fastpath.bench.workload;

import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;

/** What the commands on a cluster have in common. */
public final class Commands {
  private Commands() {}

  /** The command line that repeats this run. */
  public static String line(CommandSpec spec) {
    return spec.root().commandLine().getParseResult().originalArgs().stream()
        .map(arg -> arg.matches("[\\w./=,:-]+") ? arg : "'" + arg + "'")
        .collect(Collectors.joining(" ", "bin/fastpath ", ""));
  }
}
