package org.fastpath.metrics;

/** The unit of a metric; the name of a metric ends with it. */
public enum Unit {
  /** Events or things. */
  COUNT("Count"),
  /** Bytes. */
  BYTES("Bytes"),
  /** Nanoseconds. */
  NANOS("Nanos"),
  /** Milliseconds. */
  MILLIS("Millis");

  private final String suffix;

  Unit(String suffix) {
    this.suffix = suffix;
  }

  /** Returns the ending of the name of a metric of this unit. */
  public String suffix() {
    return suffix;
  }
}
