package org.fastpath.bench.tiered;

import org.fastpath.cluster.VolumeSpeed;

/** What the eight volumes are like while clients write. */
public enum VolumeScenario implements Labelled {
  /** All have the full bandwidth. */
  HEALTHY("healthy"),
  /** Four have half of it, as those behind the second controller of the story. */
  HALF("half"),
  /** One is ten times as slow. */
  SLOW_10("slow-10"),
  /** One is a hundred times as slow. */
  SLOW_100("slow-100"),
  /** One does not answer. */
  STUCK("stuck");

  static final int VOLUMES = 8;

  private static final int HALVED = 4;
  private static final int TEN = 10;

  private final String label;

  VolumeScenario(String label) {
    this.label = label;
  }

  /** The name on the command line and in results. */
  @Override
  public String label() {
    return label;
  }

  /**
   * The scenario of this name.
   *
   * @throws IllegalArgumentException naming those that there are
   */
  public static VolumeScenario of(String label) {
    return Labelled.named("scenario", values(), label);
  }

  /** The speed of a volume. */
  VolumeSpeed speed(int volume, VolumeSpeed full) {
    return switch (this) {
      case HEALTHY -> full;
      case HALF -> volume < HALVED ? full.slower(2) : full;
      case SLOW_10 -> volume == 0 ? full.slower(TEN) : full;
      case SLOW_100 -> volume == 0 ? full.slower(TEN * TEN) : full;
      case STUCK -> volume == 0 ? VolumeSpeed.stuck() : full;
    };
  }
}
