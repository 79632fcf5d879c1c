/**
 * Real ZooKeeper, HDFS and HBase processes on loopback, for tests, benchmarks and people.
 *
 * <p>{@link org.fastpath.cluster.LocalCluster} starts a NameNode, one to three DataNodes, a
 * ZooKeeper, an HMaster and one to three RegionServers, each in a JVM of its own with its own log,
 * configuration directory and classpath. Any of them can run stock or with more jars in front of
 * its classpath, and can be restarted with other ones.
 *
 * <p>Nothing in here refers to HBase or Hadoop at compile time except what runs inside daemons
 * ({@link org.fastpath.cluster.MemlockOverride}, {@link org.fastpath.cluster.SlowVolumes} and
 * {@link org.fastpath.cluster.SlowVolumesPlugin}), so the process that owns a cluster may use any
 * version of their clients, or none.
 */
package org.fastpath.cluster;
