/**
 * Benchmarks that find cells in HFiles whose blocks are cached off the heap. They compare HBase's
 * scanner with the off-heap reader's, on the same files.
 *
 * <p>The suite takes hours, the quick run about ten minutes:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar reader --millis 500 --rounds 6 --out reader.json --report reader.html
 * java -jar benchmarks/target/benchmarks.jar reader --quick --rounds 2 --out reader.json --report reader.html
 * </pre>
 *
 * <p>On a busy machine, {@code --cpu} adds the CPU time of an operation, which is more reliable
 * there than the elapsed time.
 *
 * <p>The same comparison by clients of a cluster:
 *
 * <pre>
 * bin/fastpath workload reader-live
 * </pre>
 */
package org.fastpath.bench.jmh.reader;
