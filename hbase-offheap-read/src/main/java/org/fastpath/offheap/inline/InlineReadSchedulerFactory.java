package org.fastpath.offheap.inline;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;

/**
 * Creates an {@link InlineReadScheduler} for a RegionServer, and HBase's scheduler for other
 * servers.
 */
public final class InlineReadSchedulerFactory extends SimpleRpcSchedulerFactory {
  @Override
  public RpcScheduler create(Configuration conf, PriorityFunction priority, Abortable server) {
    return server instanceof HRegionServer regions
        ? new InlineReadScheduler(conf, priority, regions)
        : super.create(conf, priority, server);
  }
}
