/**
 * The experiments of "In-memory caching in HDFS: lower latency, same great taste" (2014): a file in
 * the DataNode's cache read over TCP, by short circuit and without copies, by a loop that sums
 * doubles, by positional reads and by MapReduce jobs.
 *
 * <p>Each figure comes from a client in a JVM of its own ({@link
 * org.fastpath.bench.hdfs.HdfsClient}), which checks that it got the right bytes in the way that it
 * was told. The driver ({@link org.fastpath.bench.hdfs.HdfsTestbed}) owns NameNode and DataNode.
 */
package org.fastpath.bench.hdfs;
