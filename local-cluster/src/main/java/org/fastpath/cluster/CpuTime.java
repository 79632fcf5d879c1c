package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * CPU time that a process and all its threads, living and dead, have used since it started; or that
 * of one thread.
 *
 * @param userNanos time in user mode
 * @param systemNanos time in the kernel
 */
public record CpuTime(long userNanos, long systemNanos) {
  /** Linux reports ticks of 1/100 s to user space, independent of the kernel's own clock. */
  private static final long NANOS_PER_TICK = 10_000_000L;

  /** Fields after the command name: state is the first, utime the 12th, stime the 13th. */
  private static final int UTIME = 11;

  private static final int STIME = 12;

  /** Returns user and system time together. */
  public long totalNanos() {
    return userNanos + systemNanos;
  }

  /** Returns the time used since {@code earlier}. */
  public CpuTime minus(CpuTime earlier) {
    return new CpuTime(userNanos - earlier.userNanos, systemNanos - earlier.systemNanos);
  }

  /**
   * Returns the time that a process of this machine has used so far.
   *
   * @throws IOException if there is no such process
   */
  public static CpuTime ofProcess(long pid) throws IOException {
    return of(Path.of("/proc/" + pid + "/stat"));
  }

  /** Returns the time in a stat file of a process or of one of its threads. */
  static CpuTime of(Path file) throws IOException {
    String stat = Files.readString(file);
    // The command name stands in parentheses and may hold blanks and parentheses itself.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return new CpuTime(
        Long.parseLong(fields[UTIME]) * NANOS_PER_TICK,
        Long.parseLong(fields[STIME]) * NANOS_PER_TICK);
  }
}
