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
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machine and the software of a run. Figures have no meaning without it.
 *
 * @param date start of the run, UTC, ISO 8601
 * @param memoryBytes physical memory, 0 if unknown
 * @param cpuFlags flags of the instructions that the work depends on
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
  private static final String[] FLAGS_OF_INTEREST =
      "sse4_2 pclmulqdq avx2 avx512f avx512bw avx512vl vpclmulqdq crc32 pmull sve hypervisor"
          .split(" ");

  public Environment {
    cpuFlags = List.copyOf(cpuFlags);
    versions = Collections.unmodifiableMap(new LinkedHashMap<>(versions));
  }

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
        cpu("model name", "CPU part"),
        Runtime.getRuntime().availableProcessors(),
        kernel("/proc/meminfo", "MemTotal:")
            .map(kilobytes -> Long.parseLong(kilobytes.replaceAll("\\D", "")) * 1024)
            .orElse(0L),
        flags(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        versions);
  }

  private static List<String> flags() {
    List<String> present = Arrays.asList(cpu("flags", "Features").split(" "));
    return Stream.of(FLAGS_OF_INTEREST).filter(present::contains).toList();
  }

  private static String cpu(String... names) {
    return kernel("/proc/cpuinfo", names).orElse("unknown " + System.getProperty("os.arch"));
  }

  /** Returns the first of these values in a file; names depend on the architecture. */
  private static Optional<String> kernel(String file, String... names) {
    try {
      List<String> lines = Files.readAllLines(Path.of(file));
      return Stream.of(names)
          .flatMap(name -> lines.stream().filter(line -> line.startsWith(name)))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the versions of the measured software, and JIT flags, because the JIT's view of the CPU
   * decides which CRC loop runs.
   */
  public static Map<String, String> software() {
    Map<String, String> all = new LinkedHashMap<>();
    String own = Environment.class.getPackage().getImplementationVersion();
    all.put("HBase", org.apache.hadoop.hbase.util.VersionInfo.getVersion());
    all.put("Hadoop", org.apache.hadoop.util.VersionInfo.getVersion());
    all.put("hbase-fastpath", own == null ? "not packaged" : own);
    all.put("JMH", org.openjdk.jmh.util.Version.getPlainVersion());
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
