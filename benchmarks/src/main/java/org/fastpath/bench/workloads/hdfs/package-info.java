/**
 * The experiments of "In-memory caching in HDFS: lower latency, same great taste" (2014): a file
 * and a table in the DataNode's cache. Each figure of a file comes from a client in its own JVM,
 * which checks the bytes and the way that it read them.
 */
package org.fastpath.bench.workloads.hdfs;
