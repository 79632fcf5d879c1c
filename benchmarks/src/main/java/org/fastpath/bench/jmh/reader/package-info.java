/**
 * What it costs to find cells in HFiles whose blocks are cached off the heap: HBase's scanner
 * beside the off-heap reader's, on the same files.
 *
 * <p>The suite takes hours; a quick look, about ten minutes:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar reader --millis 500 --rounds 6 --out reader.json --report reader.html
 * java -jar benchmarks/target/benchmarks.jar reader --quick --rounds 2 --out reader.json --report reader.html
 * </pre>
 *
 * <p>On a machine that has other work, {@code --cpu} adds the CPU time of an operation, which is
 * worth more there than the time that passes.
 *
 * <p>The same by clients of a cluster:
 *
 * <pre>
 * bin/fastpath workload reader-live
 * </pre>
 */
package org.fastpath.bench.jmh.reader;
