/**
 * The experiments of "In-memory caching in HDFS: lower latency, same great taste" (2014): a file
 * and a table in the DataNode's cache. Each figure of a file comes from a client in a JVM of its
 * own, which checks that it got the right bytes in the way that it was told.
 */
package org.fastpath.bench.workloads.hdfs;
