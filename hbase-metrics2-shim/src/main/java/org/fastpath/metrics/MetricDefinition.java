package org.fastpath.metrics;

/**
 * What is known of a metric when it is registered: one object for all pseudo-sources that have it,
 * so that a publisher can keep what it needs for it in {@link #handle}.
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

  /** In camel case, with its unit at the end. */
  public String name() {
    return name;
  }

  /** One line for an operator. */
  public String description() {
    return description;
  }

  /** How it is read. */
  public Kind kind() {
    return kind;
  }

  /** What the publisher keeps for this metric; null at first. */
  public Object handle() {
    return handle;
  }

  /** Keeps something for this metric. */
  public void handle(Object newHandle) {
    handle = newHandle;
  }

  @Override
  public String toString() {
    return kind + " " + name;
  }
}
