/**
 * Benchmarks that find cells in HFiles whose blocks are cached off the heap. They compare HBase's
 * scanner with the off-heap reader's, on the same files. {@code workload reader-live} is the same
 * comparison by clients of a cluster.
 */
package org.fastpath.bench.jmh.reader;
