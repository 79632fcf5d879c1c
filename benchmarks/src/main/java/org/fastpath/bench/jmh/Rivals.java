package org.fastpath.bench.jmh;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names other benchmarks that do the same work, and so are in the same rows of the report. A rival
 * is a library's best implementation, measured with the same parameters.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Rivals {
  /** Names as in the results, {@code checksum.JdkBenchmark.perChunk}. */
  String[] value();
}
