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
 * Limits the writes of a RegionServer by HBase's request quota for write sizes. The quota is only
 * in this server's cache of quotas. It is in no table, other servers do not have it, and it ends
 * with the process. System tables do not count for it. The class is in this package because the
 * cache is.
 *
 * <p>HBase refills the cache from {@code hbase:quota} every five minutes or twelve hours, depending
 * on its version, and when a quota is set. So each call checks the cache. This class does not
 * change a quota that an operator has set for RegionServers. If an operator sets one while this one
 * is active, it applies after this one is lifted.
 */
public final class RegionServerWriteQuota implements WriteThrottle {
  private static final String ALL = QuotaTableUtil.QUOTA_REGION_SERVER_ROW_KEY;

  private final RegionServerServices server;
  private QuotaState own;

  /** Makes a quota that is not active yet. */
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
      throw new IllegalStateException("this version of HBase accepts no quota in its cache", e);
    }
    return state;
  }

  /** Sets the quotas. From 2.6.4 on, HBase takes the configuration, too. */
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
