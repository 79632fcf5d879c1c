package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;

/** Looks at processes from outside. */
final class Processes {
  /** Far more than needed anywhere; only a failure takes that long. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  private Processes() {}

  /** Waits until none of these processes runs. */
  static void awaitGone(Collection<Long> pids) throws Exception {
    await("end of " + pids, () -> pids.stream().noneMatch(Processes::runs));
  }

  /** Waits until the condition holds. */
  static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > deadline) {
        fail("not seen within " + DEADLINE.toSeconds() + " s: " + what);
      }
      Thread.sleep(50);
    }
  }

  /** Returns the daemons that this JVM started and that still run. */
  static List<Long> daemonsOfThisJvm() {
    return ProcessHandle.current()
        .descendants()
        .filter(ProcessHandle::isAlive)
        .filter(handle -> runs(handle.pid()))
        .map(ProcessHandle::pid)
        .toList();
  }

  /** Returns whether libhadoop is mapped into the process. */
  static boolean hasLibhadoop(long pid) throws IOException {
    return Files.readString(Path.of("/proc/" + pid + "/maps")).contains("libhadoop.so");
  }

  /** Returns its environment, as NAME=value. */
  static List<String> environment(long pid) throws IOException {
    return List.of(Files.readString(Path.of("/proc/" + pid + "/environ")).split("\0"));
  }

  /**
   * Returns whether it runs. An orphan whose new parent never asks for its exit code remains in the
   * process table, but does not run.
   */
  private static boolean runs(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      char state = stat.charAt(stat.lastIndexOf(')') + 2);
      return state != 'Z' && state != 'X';
    } catch (IOException e) {
      return false;
    }
  }
}
