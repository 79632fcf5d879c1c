package org.fastpath.offheap.inline;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;

/** Makes an {@link InlineReadScheduler} for a RegionServer, and HBase's scheduler for others. */
public final class InlineReadSchedulerFactory extends SimpleRpcSchedulerFactory {
  @Override
  public RpcScheduler create(Configuration conf, PriorityFunction priority, Abortable server) {
    return server instanceof HRegionServer regions
        ? new InlineReadScheduler(conf, handlers(conf), priority, regions)
        : super.create(conf, priority, server);
  }

  private static InlineReadScheduler.Handlers handlers(Configuration conf) {
    return new InlineReadScheduler.Handlers(
        conf.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT),
        conf.getInt(
            HConstants.REGION_SERVER_HIGH_PRIORITY_HANDLER_COUNT,
            HConstants.DEFAULT_REGION_SERVER_HIGH_PRIORITY_HANDLER_COUNT),
        conf.getInt(
            HConstants.REGION_SERVER_REPLICATION_HANDLER_COUNT,
            HConstants.DEFAULT_REGION_SERVER_REPLICATION_HANDLER_COUNT),
        conf.getInt(
            HConstants.MASTER_META_TRANSITION_HANDLER_COUNT,
            HConstants.MASTER__META_TRANSITION_HANDLER_COUNT_DEFAULT));
  }
}
