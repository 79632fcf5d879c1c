package org.fastpath.tiered.datanode;

import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;

/**
 * Volumes of one type that {@link VolumeChooser} chooses from, for a simulation. It is the class of
 * DataNodes over given gauges, a clock and random numbers. For one thread.
 */
public final class SimulatedVolumes {
  private final VolumeGroup group;
  private final VolumeChooser chooser;
  private final LongSupplier clock;

  /**
   * Makes them, with default options.
   *
   * @param available room of a volume
   * @param inFlight bytes that it has still to write
   * @param clock nanoseconds
   * @param random 64 random bits
   */
  public SimulatedVolumes(
      int volumes,
      IntToLongFunction available,
      IntToLongFunction inFlight,
      LongSupplier clock,
      LongSupplier random) {
    this.clock = clock;
    VolumeLoad[] loads = new VolumeLoad[volumes];
    for (int i = 0; i < volumes; i++) {
      int index = i;
      VolumeGauges gauges =
          new VolumeGauges() {
            @Override
            public long availableBytes() {
              return available.applyAsLong(index);
            }

            @Override
            public long inFlightBytes() {
              return inFlight.applyAsLong(index);
            }
          };
      loads[i] = new VolumeLoad(gauges, true);
    }
    group = new VolumeGroup(loads);
    chooser = new VolumeChooser(VolumeChoiceOptions.defaults(), clock, random);
  }

  /** Chooses one for a replica; negative if none has room. */
  public int choose(long bytes) {
    return chooser.choose(group, bytes);
  }

  /** A write begins. */
  public void begin(int volume) {
    group.load(volume).transfers().begin(clock.getAsLong());
  }

  /** It has ended. */
  public void end(int volume, long bytes) {
    group.load(volume).transfers().end(clock.getAsLong(), bytes);
  }

  /** Looks at all, as DataNodes do once a second. */
  public void refresh() {
    chooser.rank(group);
  }

  /** Whether a volume gets its share. */
  public boolean isEligible(int volume) {
    return group.load(volume).isEligible();
  }

  /** Returns the number of times that the volume was excluded. */
  public long exclusions(int volume) {
    VolumeLoad load = group.load(volume);
    return load.slowExclusionCount() + load.erringExclusionCount() + load.stallCount();
  }

  /** Returns the number of times that the volume was probed. */
  public long probes(int volume) {
    return group.load(volume).probeCount();
  }
}
