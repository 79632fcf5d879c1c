package org.fastpath.bench.engine.results;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machine and the software of a run. Figures have no meaning without it.
 *
 * @param date start of the run, UTC, ISO 8601
 * @param command the command line that repeats the run
 * @param cpu model name
 * @param cores number of cores that the JVM sees
 * @param memoryBytes physical memory, 0 if unknown
 * @param cpuFlags flags of the instructions that the work depends on
 * @param kernel operating system and version
 * @param jdk vendor and version of the JVM
 * @param versions other software by name
 */
public record Environment(
    String date,
    String command,
    String cpu,
    int cores,
    long memoryBytes,
    List<String> cpuFlags,
    String kernel,
    String jdk,
    Map<String, String> versions) {

  /** Instructions that checksums, copies and compression use, x86-64 and aarch64. */
  private static final List<String> FLAGS_OF_INTEREST =
      List.of(
          "sse4_2",
          "pclmulqdq",
          "avx2",
          "avx512f",
          "avx512bw",
          "avx512vl",
          "vpclmulqdq",
          "crc32",
          "pmull",
          "sve",
          "hypervisor");

  /** Copies its collections. */
  public Environment {
    cpuFlags = List.copyOf(cpuFlags);
    versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
  }

  /** Returns the number and the name of the processors. */
  public String machine() {
    return cores + " × " + cpu;
  }

  /** Returns the versions of the software without flags, in one line. */
  public String versionsLine() {
    return versions.entrySet().stream()
        .filter(version -> !version.getKey().startsWith("-"))
        .map(version -> version.getKey() + " " + version.getValue())
        .collect(Collectors.joining(", "));
  }

  /** Returns the environment of this machine. */
  public static Environment here(String command, Map<String, String> versions) {
    return new Environment(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        command,
        cpuLine("model name", "CPU part"),
        Runtime.getRuntime().availableProcessors(),
        memory(),
        flags(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        withJitFlags(versions));
  }

  private static List<String> flags() {
    List<String> present = Arrays.asList(cpuLine("flags", "Features").split(" "));
    return FLAGS_OF_INTEREST.stream().filter(present::contains).toList();
  }

  /** Returns the first of these lines that the kernel shows; names depend on the architecture. */
  private static String cpuLine(String... names) {
    List<String> lines = lines("/proc/cpuinfo");
    return Stream.of(names)
        .flatMap(name -> lines.stream().filter(line -> line.startsWith(name)).limit(1))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst()
        .orElse("unknown " + System.getProperty("os.arch"));
  }

  private static long memory() {
    return lines("/proc/meminfo").stream()
        .filter(line -> line.startsWith("MemTotal:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
        .findFirst()
        .orElse(0);
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Adds JIT flags, because the JIT's view of the CPU decides which CRC loop runs. */
  private static Map<String, String> withJitFlags(Map<String, String> versions) {
    Map<String, String> all = new LinkedHashMap<>(versions);
    HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      all.put("-XX:UseAVX", vm.getVMOption("UseAVX").getValue());
    } catch (IllegalArgumentException e) {
      // This JVM is not for x86-64 and does not have the flag.
      all.put("-XX:UseAVX", "none");
    }
    return all;
  }
}
