/**
 * Checksums, verified and generated, through the doors that HBase and HDFS use, and by plain {@code
 * java.util.zip} over the same bytes.
 *
 * <p>The suite, about 15 minutes; a quick look, about 3 minutes; everything, hours:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar checksum --rounds 3 --out results.json --report report.html
 * java -jar benchmarks/target/benchmarks.jar checksum --quick --out results.json --report report.html
 * java -jar benchmarks/target/benchmarks.jar checksum --all --out results.json --report report.html
 * </pre>
 *
 * <p>One door in some worlds, with some parameters:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar HFileBlock --world stock-native,ours-auto \
 *     --param buffer=17-part --param size=131072 --rounds 5
 * </pre>
 */
package org.fastpath.bench.jmh.checksum;
