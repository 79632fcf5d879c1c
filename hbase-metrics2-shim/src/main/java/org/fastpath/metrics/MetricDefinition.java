package org.fastpath.metrics;

/**
 * Describes a metric. All pseudo-sources of a source share one object, so a publisher can keep its
 * own data in {@link #handle}.
 */
public final class MetricDefinition {
  /** How a metric is read. */
  public enum Kind {
    /** Only grows. */
    COUNTER,
    /** Goes up and down. */
    GAUGE,
    /** Words, shown as a tag. */
    TEXT
  }

  private final String name;
  private final String description;
  private final Kind kind;
  private volatile Object handle;

  MetricDefinition(String name, String description, Kind kind) {
    this.name = name;
    this.description = description;
    this.kind = kind;
  }

  /** Returns the name in camel case, with its unit at the end. */
  public String name() {
    return name;
  }

  /** Returns one line for an operator. */
  public String description() {
    return description;
  }

  /** Returns how it is read. */
  public Kind kind() {
    return kind;
  }

  /** Returns the publisher's data for this metric; null at first. */
  public Object handle() {
    return handle;
  }

  /** Sets the publisher's data for this metric. */
  public void handle(Object newHandle) {
    handle = newHandle;
  }

  @Override
  public String toString() {
    return kind + " " + name;
  }
}
