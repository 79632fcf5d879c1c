package org.fastpath.bench.simulators.volumes;

/** A policy in a simulation. Not thread-safe. */
interface VolumeContender {
  /** Chooses a disk for a replica. */
  int choose(long nowNanos, long bytes);

  /** Reports that the write of a replica begins. */
  default void begin(int disk) {
    // Most policies ignore this.
  }

  /** Reports the end of the write. */
  default void end(int disk, long bytes) {
    // Most policies ignore this.
  }

  /** Reports that a second has passed. */
  default void refresh() {
    // Most policies ignore this.
  }

  /** Returns whether a disk is not excluded. */
  default boolean isEligible(int disk) {
    return true;
  }

  /** Returns the number of exclusions. */
  default long exclusions() {
    return 0;
  }

  /** Returns the number of probes. */
  default long probes() {
    return 0;
  }
}
