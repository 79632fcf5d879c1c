package org.fastpath.bench.workloads.tiers;

import java.util.List;
import org.fastpath.cluster.CpuTime;
import org.fastpath.cluster.DeviceUse;

/**
 * The counters of the cluster at one moment.
 *
 * @param millis the moment, in milliseconds since 1970
 * @param devices what volumes and then controllers have done
 * @param machine CPU of all processes
 * @param regionServer CPU time of the RegionServer
 * @param dataNode CPU time of the DataNode
 * @param memstoreBytes what all memstores hold
 * @param blockedMillis for how long the RegionServer has held up updates because of memstores
 * @param refusedRequests requests that it has answered with RegionTooBusyException
 * @param blockedThreads threads of the DataNode that wait for a monitor
 */
record TierReading(
    long millis,
    List<DeviceUse> devices,
    MachineCpu machine,
    CpuTime regionServer,
    CpuTime dataNode,
    long memstoreBytes,
    long blockedMillis,
    long refusedRequests,
    long blockedThreads) {

  /** The part of the time since {@code earlier} in which a device was occupied, in percent. */
  double busyPercent(TierReading earlier, int device) {
    double nanos = 1e6 * (millis - earlier.millis);
    long busy = devices.get(device).since(earlier.devices.get(device)).busyNanos();
    return nanos == 0 ? 0 : 100 * busy / nanos;
  }
}
