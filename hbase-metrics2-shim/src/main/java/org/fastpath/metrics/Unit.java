package org.fastpath.metrics;

/** What a metric counts; the name of a metric ends with it. */
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

  /** How the name of a metric of this unit ends. */
  public String suffix() {
    return suffix;
  }
}
