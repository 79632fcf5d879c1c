package org.fastpath.bench.engine.cluster;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.fastpath.bench.engine.WorkDirectory;
import org.fastpath.cluster.Daemon;

/**
 * Samples the CPU time of a daemon with async-profiler, which is loaded into the running process.
 *
 * <p>The event is {@code cpu}: the kernel's perf events, by CPU time. If the kernel does not allow
 * them, async-profiler uses a timer per thread. It counts the same time but fires at most at the
 * kernel's clock ticks. That gives fewer samples with the same shares.
 */
public final class Profiler {
  private static final String INTERVAL = "1ms";

  private Profiler() {}

  /**
   * Samples a daemon during the work.
   *
   * @param directory receives NAME.html, a flame graph, and NAME.collapsed, its stacks
   */
  public static CollapsedStacks profile(
      WorkDirectory directory, Daemon daemon, String name, Usage.Work work) throws IOException {
    Path library = unpack(directory.cluster().resolve("profiler"));
    Path collapsed = directory.resolve(name + ".collapsed");
    Path graph = directory.resolve(name + ".html");
    execute(library, daemon, "start,event=cpu,interval=" + INTERVAL);
    work.run();
    execute(library, daemon, "stop,collapsed,file=" + collapsed);
    execute(library, daemon, "dump,flamegraph,title=" + name + ",file=" + graph);
    return CollapsedStacks.read(collapsed);
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
    Path file = Files.createDirectories(directory).resolve("libasyncProfiler.so").toAbsolutePath();
    if (!Files.exists(file)) {
      try (InputStream in = Profiler.class.getResourceAsStream(resource())) {
        if (in == null) {
          throw new IOException(
              "async-profiler does not support the architecture " + System.getProperty("os.arch"));
        }
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return file;
  }

  private static String resource() {
    String machine = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
    return "/linux-" + machine + "/libasyncProfiler.so";
  }
}
