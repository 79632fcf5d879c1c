package org.apache.hadoop.hbase.master.balancer;

import org.fastpath.zcr.pin.CachedBytes;

/** A load balancer with the test's knowledge. */
final class KnownLoadBalancer extends CachedReplicaLoadBalancer {
  private volatile CachedBytes known = CachedBytes.NONE;

  private volatile Error failure;

  void know(CachedBytes cached) {
    known = cached;
  }

  void fail(Error error) {
    failure = error;
  }

  @Override
  CachedBytes cached() {
    if (failure != null) {
      throw failure;
    }
    return known;
  }
}
