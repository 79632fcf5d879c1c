package org.apache.hadoop.hbase.quotas;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Throttle;
import org.fastpath.tiered.regionserver.guard.WriteThrottle;

/**
 * HBase's request quota of a RegionServer, by the size of writes, set in this server's cache of
 * quotas only: it is in no table, other servers do not have it, and it ends with the process.
 * System tables do not count for it. In this package because the cache is.
 *
 * <p>HBase fills the cache anew from {@code hbase:quota}, each five minutes or twelve hours by its
 * version, and when a quota is set; so it is looked after with each call. A quota that an operator
 * has set for RegionServers is left alone; one that is set while this one is in force is in force
 * after it was lifted.
 */
public final class RegionServerWriteQuota implements WriteThrottle {
  private static final String ALL = QuotaTableUtil.QUOTA_REGION_SERVER_ROW_KEY;

  private final RegionServerServices server;
  private QuotaState own;

  /** A quota that is not in force yet. */
  public RegionServerWriteQuota(RegionServerServices server) {
    this.server = server;
  }

  @Override
  public boolean limit(long bytesPerSecond) {
    QuotaCache cache = cache();
    if (cache == null) {
      return false;
    }
    QuotaLimiter present = cache.getRegionServerQuotaLimiter(ALL);
    Map<String, QuotaState> states = cache.getRegionServerQuotaCache();
    if (states.get(ALL) != own && !present.isBypass()) {
      return false;
    }
    QuotaState wanted = state(bytesPerSecond);
    if (own == null) {
      own = wanted;
    } else {
      own.update(wanted);
    }
    states.put(ALL, own);
    return true;
  }

  @Override
  public void lift() {
    QuotaCache cache = cache();
    if (own == null || cache == null) {
      return;
    }
    boolean removed = cache.getRegionServerQuotaCache().remove(ALL, own);
    own = null;
    if (removed && !server.isStopping() && !server.isStopped()) {
      cache.triggerCacheRefresh();
    }
  }

  private QuotaCache cache() {
    RegionServerRpcQuotaManager manager = server.getRegionServerRpcQuotaManager();
    return manager == null ? null : manager.getQuotaCache();
  }

  private QuotaState state(long bytesPerSecond) {
    Throttle throttle =
        Throttle.newBuilder()
            .setWriteSize(
                ProtobufUtil.toTimedQuota(bytesPerSecond, TimeUnit.SECONDS, QuotaScope.MACHINE))
            .build();
    Quotas quotas = Quotas.newBuilder().setThrottle(throttle).build();
    QuotaState state = new QuotaState();
    try {
      set(state, quotas);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this version of HBase takes no quotas", e);
    }
    return state;
  }

  /** HBase wants the configuration, too, from 2.6.4 on. */
  private void set(QuotaState state, Quotas quotas) throws ReflectiveOperationException {
    for (Method method : QuotaState.class.getMethods()) {
      if (method.getName().equals("setQuotas")) {
        method.invoke(
            state,
            method.getParameterCount() == 1
                ? new Object[] {quotas}
                : new Object[] {server.getConfiguration(), quotas});
        return;
      }
    }
    throw new NoSuchMethodException("setQuotas");
  }
}
