package org.fastpath.bench.simulators.volumes;

/** The time of a simulation. */
final class SimulatedClock {
  private long nanos;

  long nanos() {
    return nanos;
  }

  void advanceTo(long to) {
    nanos = to;
  }
}
