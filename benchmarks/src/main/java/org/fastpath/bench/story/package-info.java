/**
 * The micro-benchmarks of "Offheaping the Read Path in Apache HBase" (HBASE-11425, 2015), which
 * decided how HBase reads off the heap, beside what has come since: reads from Netty's and Java's
 * buffers, what an {@code instanceof} costs in a comparator, and a comparison of 135 bytes.
 *
 * <p>All sides run in one invocation, each in a JVM of its own that loads no other, so that the JIT
 * inlines it as it would in a program that has no other. About 20 minutes; a quick look, about 4:
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar story --rounds 6 --out story.json --report story.html
 * java -jar benchmarks/target/benchmarks.jar story --quick --millis 200 --rounds 2 --out story.json
 * bin/fastpath results-pages story.json
 * </pre>
 *
 * <p>MemorySegment is measured by a JVM that has it, 22 or later; on an older one the run says that
 * it was left out.
 */
package org.fastpath.bench.story;
