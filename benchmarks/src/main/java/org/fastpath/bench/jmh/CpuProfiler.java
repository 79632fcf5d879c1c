package org.fastpath.bench.jmh;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.stream.LongStream;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures CPU time per operation. It includes all Java threads, also those of a cache, and
 * excludes garbage collector and JIT. If other processes use the processors too, the elapsed time
 * of an operation is mostly a wait. CPU time is not.
 *
 * <p>JMH creates it in the fork.
 */
public final class CpuProfiler implements InternalProfiler {
  static final String LABEL = "cpu.time.norm";

  private long before;

  @Override
  public String getDescription() {
    return "CPU time of Java threads per operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = cpuNanos();
  }

  @Override
  public Collection<ScalarResult> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double spent = cpuNanos() - before;
    long operations = Math.max(1, result.getMetadata().getAllOps());
    return List.of(new ScalarResult(LABEL, spent / operations, "ns/op", AggregationPolicy.AVG));
  }

  private static long cpuNanos() {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    // A thread that has ended meanwhile counts -1.
    return LongStream.of(threads.getThreadCpuTime(threads.getAllThreadIds()))
        .filter(nanos -> nanos > 0)
        .sum();
  }
}
