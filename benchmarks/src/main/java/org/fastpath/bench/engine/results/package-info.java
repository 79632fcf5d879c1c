/**
 * The results file contains the raw measurements of JMH suites and cluster workloads. This package
 * also compares two variants.
 *
 * <p>A workload collects with {@link org.fastpath.bench.engine.results.Results.Builder}, one call
 * per round, measurement and variant. It writes the file after all rounds:
 *
 * <pre>{@code
 * Results.Builder results = Results.builder("Major compaction", Environment.here(command, Versions.all()));
 * results.candidate("D").describe("A", "neither HBase nor HDFS native").describe("D", "ours everywhere");
 * results.round("compaction.cpu.user.seconds", Map.of(), "A", "s", seconds);
 * results.series(new Series("Compaction CPU over time", "A", "s", "cores", seconds, cores));
 * results.flameGraph(new FlameGraph("Major compaction", "A", "compaction-A.html"));
 * results.build().write(file);
 * }</pre>
 */
package org.fastpath.bench.engine.results;
