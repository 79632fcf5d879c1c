package org.fastpath.bench.workloads.tiers;

import java.util.List;
import org.fastpath.cluster.DeviceUse;

/**
 * The counters of the cluster at one time.
 *
 * @param millis the time, in milliseconds since 1970
 * @param devices use of the volumes, then of the controllers
 * @param machine CPU time of all processes
 * @param memstoreBytes bytes of all memstores
 * @param blockedMillis time for which the RegionServer has blocked updates because of memstores
 * @param refusedRequests requests that it has refused with RegionTooBusyException
 * @param blockedThreads threads of the DataNode that wait for a monitor
 */
record TierReading(
    long millis,
    List<DeviceUse> devices,
    MachineCpu machine,
    long memstoreBytes,
    long blockedMillis,
    long refusedRequests,
    long blockedThreads) {

  /** Returns the part of the time since {@code earlier} in which a device was busy, in percent. */
  double busyPercent(TierReading earlier, int device) {
    double nanos = 1e6 * (millis - earlier.millis);
    long busy = devices.get(device).since(earlier.devices.get(device)).busyNanos();
    return nanos == 0 ? 0 : 100 * busy / nanos;
  }
}
