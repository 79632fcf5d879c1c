package org.apache.hadoop.hbase.master.balancer;

import org.fastpath.zcr.pin.CachedBytes;

/** A load balancer with the test's knowledge. */
final class KnownLoadBalancer extends CachedReplicaLoadBalancer {
  private volatile CachedBytes known = CachedBytes.NONE;

  void know(CachedBytes cached) {
    known = cached;
  }

  @Override
  CachedBytes cached() {
    return known;
  }
}
