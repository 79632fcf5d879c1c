package org.fastpath.bench.guard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures the cost of the guards at the start of a RegionServer: {@code bin/fastpath guard-cost}.
 * Each run is a new JVM with the class path of this one.
 */
@Command(
    name = "guard-cost",
    mixinStandardHelpOptions = true,
    description =
        "Measures the CPU time that the guards of a RegionServer's features take at its start, in"
            + " new JVMs.")
public final class GuardCostCommand implements Callable<Integer> {
  private static final double MICROS_A_MILLI = 1000;

  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How many JVMs are started (default: ${DEFAULT-VALUE}).")
  private int rounds = 11;

  /** Runs the command. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new GuardCostCommand()).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    if (rounds < 1) {
      throw new ParameterException(spec.commandLine(), "--rounds is " + rounds + "; at least 1");
    }
    Map<String, List<Long>> micros = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      start(micros);
    }
    spec.commandLine()
        .getOut()
        .printf("%-16s %8s %8s %8s  ms of CPU%n", "", "median", "least", "most");
    micros.forEach(
        (feature, all) -> {
          Collections.sort(all);
          spec.commandLine()
              .getOut()
              .printf(
                  Locale.ROOT,
                  "%-16s %8.1f %8.1f %8.1f%n",
                  feature,
                  all.get(all.size() / 2) / MICROS_A_MILLI,
                  all.get(0) / MICROS_A_MILLI,
                  all.get(all.size() - 1) / MICROS_A_MILLI);
        });
    return 0;
  }

  private static void start(Map<String, List<Long>> micros)
      throws InterruptedException, IOException {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                GuardedFeatures.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines = jvm.inputReader()) {
      lines.lines().forEach(line -> add(line, micros));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (jvm.waitFor() != 0) {
      throw new IOException("a JVM that asks the guards ended with exit code " + jvm.exitValue());
    }
  }

  private static void add(String line, Map<String, List<Long>> micros) {
    int end = line.indexOf(' ');
    if (end > 0 && line.endsWith(GuardedFeatures.MICROS)) {
      String number = line.substring(end + 1, line.length() - GuardedFeatures.MICROS.length());
      micros
          .computeIfAbsent(line.substring(0, end), feature -> new ArrayList<>())
          .add(Long.parseLong(number));
    }
  }
}
