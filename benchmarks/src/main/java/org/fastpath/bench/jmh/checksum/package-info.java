/**
 * Benchmarks that verify and generate checksums through the entry points of HBase and HDFS, and by
 * plain {@code java.util.zip} over the same bytes.
 *
 * <p>The suite takes about 15 minutes, the quick run about 3 minutes, all values hours:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar checksum --rounds 3 --out results.json --report report.html
 * java -jar benchmarks/target/benchmarks.jar checksum --quick --out results.json --report report.html
 * java -jar benchmarks/target/benchmarks.jar checksum --all --out results.json --report report.html
 * </pre>
 *
 * <p>One entry point in some worlds, with some parameters:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar HFileBlock --world stock-native,ours-auto \
 *     --param buffer=17-part --param size=131072 --rounds 5
 * </pre>
 */
package org.fastpath.bench.jmh.checksum;
