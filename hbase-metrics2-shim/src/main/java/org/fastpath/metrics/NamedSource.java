package org.fastpath.metrics;

import java.util.List;

/** The common part of all sources: a name, the tags of the pseudo-sources, and the definitions. */
abstract class NamedSource implements PublishedSource {
  private final String name;
  private final String description;
  private final List<String> tags;
  final Definitions definitions;
  private final Minutes minutes = new Minutes(System::nanoTime);

  NamedSource(String name, String description, List<String> tags, Definitions definitions) {
    this.name = name;
    this.description = description;
    this.tags = tags;
    this.definitions = definitions;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String description() {
    return description;
  }

  @Override
  public final List<String> tags() {
    return tags;
  }

  @Override
  public final List<MetricDefinition> definitions() {
    return definitions.inOrder();
  }

  @Override
  public final void notShown(String why) {
    Metrics.notShown(this, why);
  }

  /** Returns the number of halvings that are due; 0 for all but the first snapshot of a minute. */
  final int minutesPassed() {
    return minutes.passed();
  }
}
