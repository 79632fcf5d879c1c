package org.fastpath.bench.workload;

import java.io.IOException;
import org.HdrHistogram.Histogram;

/**
 * What happened in a slice of time in which clients read.
 *
 * @param nanos how long it was
 * @param rows rows that the clients got or had the server read
 * @param cpuNanos CPU time of all threads of the RegionServer
 * @param allocatedBytes what its heap grew by between garbage collections
 * @param latencies of the requests that ended in it, in nanoseconds
 */
record Slice(long nanos, long rows, long cpuNanos, double allocatedBytes, Histogram latencies) {

  /** Lets clients read for that time. */
  static Slice of(Testbed testbed, RequestLoad clients, int millis) throws IOException {
    long pid = testbed.regionServer().pid();
    clients.latencies();
    long heap = testbed.heapBytes();
    long start = System.currentTimeMillis();
    ThreadTimes times = ThreadTimes.of(pid);
    long rows = clients.rows();
    long begin = System.nanoTime();
    Pause.millis(millis);
    long rowsAtEnd = clients.rows();
    long nanos = System.nanoTime() - begin;
    long cpu = ThreadTimes.of(pid).since(times);
    long end = System.currentTimeMillis();
    Histogram latencies = clients.latencies();
    double allocated =
        GcEvent.allocated(
            heap, testbed.heapBytes(), GcEvent.between(testbed.collections(), start, end));
    return new Slice(nanos, rowsAtEnd - rows, cpu, allocated, latencies);
  }
}
