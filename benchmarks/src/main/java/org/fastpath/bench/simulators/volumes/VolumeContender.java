package org.fastpath.bench.simulators.volumes;

/** A policy in a simulation. For one thread. */
interface VolumeContender {
  /** Chooses a disk for a replica. */
  int choose(long nowNanos, long bytes);

  /** A replica begins to be written. */
  default void begin(int disk) {
    // Most do not want to know.
  }

  /** It is written. */
  default void end(int disk, long bytes) {
    // Most do not want to know.
  }

  /** A second has passed. */
  default void look() {
    // Most do not want to know.
  }

  /** Whether a disk gets its share. */
  default boolean isEligible(int disk) {
    return true;
  }

  /** How often disks were left out. */
  default long exclusions() {
    return 0;
  }

  /** How often disks were probed. */
  default long probes() {
    return 0;
  }
}
