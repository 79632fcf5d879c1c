package org.fastpath.bench.workloads.caches;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads for how long the kernel let the current thread wait for a processor. A machine with few
 * processors preempts a thread for milliseconds. For one thread.
 */
final class QueueTime implements AutoCloseable {
  private static final Path COUNTS = Path.of("/proc/thread-self/schedstat");
  private static final int MAX_BYTES = 128;

  private final FileChannel counts;
  private final ByteBuffer text = ByteBuffer.allocate(MAX_BYTES);

  /** Opens the counts of the current thread; fails if the kernel does not count. */
  QueueTime() throws IOException {
    counts = FileChannel.open(COUNTS);
    nanos();
    if (text.get(0) == '0') {
      throw new IOException(COUNTS + " is 0: set the kernel's sched_schedstats to 1");
    }
  }

  /** Returns the total of the thread's waits in nanoseconds. */
  long nanos() {
    try {
      text.clear();
      counts.read(text, 0);
    } catch (IOException e) {
      throw new UncheckedIOException("the kernel does not show the waits of threads", e);
    }
    // Three numbers: the time on a processor, the time of waits, and the count of turns.
    String line = new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII);
    int first = line.indexOf(' ');
    return Long.parseLong(line.substring(first + 1, line.indexOf(' ', first + 1)));
  }

  @Override
  public void close() throws IOException {
    counts.close();
  }
}
