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

  /** Signals that a process cannot be profiled on this machine. */
  public static final class Unavailable extends IOException {
    private static final long serialVersionUID = 1L;

    Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final Path library;
  private final Daemon daemon;

  private Profiler(Path library, Daemon daemon) {
    this.library = library;
    this.daemon = daemon;
  }

  /** Returns whether async-profiler exists for this machine. */
  public static boolean isAvailable() {
    return Profiler.class.getResource(resource()) != null;
  }

  /**
   * Samples a daemon during the work.
   *
   * @param directory receives NAME.html, a flame graph, and NAME.collapsed, its stacks
   */
  public static CollapsedStacks profile(
      WorkDirectory directory, Daemon daemon, String name, Usage.Work work) throws IOException {
    Profiler profiler = start(directory.cluster().resolve("profiler"), daemon);
    work.run();
    Path collapsed = directory.resolve(name + ".collapsed");
    profiler.stop(collapsed, directory.resolve(name + ".html"), name);
    return CollapsedStacks.read(collapsed);
  }

  /**
   * Begins to sample.
   *
   * @param directory receives the agent's library
   */
  private static Profiler start(Path directory, Daemon daemon) throws IOException {
    Profiler profiler = new Profiler(unpack(directory), daemon);
    profiler.execute("start,event=cpu,interval=" + INTERVAL);
    return profiler;
  }

  /**
   * Ends sampling and writes the results.
   *
   * @param collapsed receives one line per stack, with the number of its samples
   * @param flameGraph receives an HTML page
   */
  private void stop(Path collapsed, Path flameGraph, String title) throws IOException {
    execute("stop,collapsed,file=" + collapsed.toAbsolutePath());
    execute("dump,flamegraph,title=" + title + ",file=" + flameGraph.toAbsolutePath());
  }

  private void execute(String command) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(daemon.pid()));
      try {
        machine.loadAgentPath(library.toString(), command);
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException | AgentLoadException | AgentInitializationException e) {
      throw new Unavailable(
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
