package org.fastpath.bench.engine.cluster;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.fastpath.bench.engine.Console;
import org.fastpath.bench.engine.Pause;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.results.FlameGraph;
import org.fastpath.cluster.Daemon;

/**
 * A profile of the CPU time of a daemon by async-profiler, which is loaded into the running
 * process. Its collapsed form has a line per stack, {@code outermost;...;innermost samples}.
 *
 * <p>The event is {@code cpu}: the kernel's perf events, by CPU time. If the kernel does not allow
 * them, async-profiler uses a timer per thread. It counts the same time but fires at most at the
 * kernel's clock ticks. That gives fewer samples with the same shares.
 *
 * @param total number of all samples
 * @param checksums samples in or below a checksum: Java's CRC classes and the JVM's routines for
 *     them, Hadoop's and HBase's checksum classes, libhadoop's loops, and ours
 */
public record CollapsedStacks(long total, long checksums) {
  private static final int PROFILED_MILLIS = 2500;
  private static final Pattern CHECKSUM_FRAME =
      Pattern.compile(
          "(^|;)(java/util/zip/(CRC32C?|Adler32|Checksum)[.$]"
              + "|org/apache/hadoop/util/(DataChecksum|NativeCrc32|LibhadoopCrc|PureJavaCrc32C?|CrcUtil)[.$]"
              + "|org/apache/hadoop/hbase/io/hfile/(ChecksumUtil|HFileBlock\\$Writer\\.generateChecksum)"
              + "|org/fastpath/checksum/|Java_org_apache_hadoop_util_NativeCrc32"
              + "|bulk_(verify|calculate)_crc|pipelined_crc32c|crc32c?_(sb8|zlib|update|sse)"
              + "|(StubRoutines::)?updateBytesCRC32C?\\b)");

  /**
   * Samples a RegionServer during the work. Writes the stacks in collapsed form, and a flame graph
   * whose outermost frames are at the top, where a page shows them. The results get the graph.
   */
  public static CollapsedStacks profile(
      Run run, Cluster cluster, String title, String variant, InvocationRaisingIOE work)
      throws IOException {
    Console.Step step = run.step("samples", "profile", title, variant);
    String name = (title + " " + variant).replaceAll("\\W+", "-");
    Path library = unpack(run.directory().cluster().resolve("profiler"));
    Path collapsed = run.directory().resolve(name + ".collapsed");
    Path graph = run.directory().resolve(name + ".html");
    Daemon daemon = cluster.regionServer();
    execute(library, daemon, "start,event=cpu,interval=1ms");
    try {
      work.apply();
    } finally {
      execute(library, daemon, "stop,collapsed,file=" + collapsed);
    }
    execute(library, daemon, "dump,flamegraph,inverted,title=" + name + ",file=" + graph);
    run.results().flameGraph(new FlameGraph(title, variant, name + ".html"));
    CollapsedStacks stacks = of(Files.readAllLines(collapsed));
    step.done(stacks.total + " samples, " + (int) stacks.checksumPercent() + " % in checksums");
    return stacks;
  }

  /** Profiles a RegionServer that answers clients, and ends them. */
  public static void ofReads(
      Run run, Cluster cluster, String title, String variant, RequestLoad clients)
      throws IOException {
    try (clients) {
      profile(run, cluster, title, variant, () -> Pause.millis(PROFILED_MILLIS));
      clients.stop();
    }
  }

  private static void execute(Path library, Daemon daemon, String command) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(daemon.pid()));
      try {
        machine.loadAgentPath(library.toString(), command);
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
      throw new IOException(
          "cannot profile " + daemon.name() + " (" + command + "): " + e.getMessage(), e);
    }
  }

  private static Path unpack(Path directory) throws IOException {
    String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    String resource = "/linux-" + machine + "/libasyncProfiler.so";
    Path file = Files.createDirectories(directory).resolve("libasyncProfiler.so").toAbsolutePath();
    if (!Files.exists(file)) {
      try (InputStream in = CollapsedStacks.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new IOException(
              "async-profiler does not support the architecture " + System.getProperty("os.arch"));
        }
        Files.copy(in, file);
      }
    }
    return file;
  }

  static CollapsedStacks of(List<String> lines) throws IOException {
    long total = 0;
    long checksums = 0;
    for (String line : lines) {
      int blank = line.lastIndexOf(' ');
      if (blank < 0 || !line.substring(blank + 1).matches("\\d+")) {
        throw new IOException("this line is not in collapsed form: " + line);
      }
      long samples = Long.parseLong(line.substring(blank + 1));
      total += samples;
      checksums += CHECKSUM_FRAME.matcher(line.substring(0, blank)).find() ? samples : 0;
    }
    return new CollapsedStacks(total, checksums);
  }

  public double checksumPercent() {
    return total == 0 ? 0 : 100.0 * checksums / total;
  }
}
