/**
 * The experiments of "In-memory caching in HDFS: lower latency, same great taste" (2014). Each
 * figure of a file comes from a client in its own JVM, which checks the bytes and the read mode.
 */
package org.fastpath.bench.workloads.hdfs;
