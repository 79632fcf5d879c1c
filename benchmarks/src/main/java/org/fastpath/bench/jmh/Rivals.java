package org.fastpath.bench.jmh;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Other benchmarks that do the same work, and so stand in the same rows of the report: a library's
 * best, measured with the same parameters.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Rivals {
  /** Names as in the results, {@code checksum.JdkBenchmark.perChunk}. */
  String[] value();
}
