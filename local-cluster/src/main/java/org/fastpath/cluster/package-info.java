/**
 * Real ZooKeeper, HDFS and HBase processes on loopback, for tests, benchmarks and manual use.
 *
 * <p>{@link org.fastpath.cluster.LocalCluster} starts a NameNode, one to three DataNodes, a
 * ZooKeeper, an HMaster and one to three RegionServers. Each has a separate JVM, log, configuration
 * directory and classpath. Any of them can run stock or with more jars in front of its classpath,
 * and can be restarted with other ones.
 *
 * <p>Only classes that run inside daemons refer to HBase or Hadoop at compile time, such as {@link
 * org.fastpath.cluster.SlowVolumes}. So the process that owns a cluster may use any version of
 * their clients, or none.
 */
package org.fastpath.cluster;
