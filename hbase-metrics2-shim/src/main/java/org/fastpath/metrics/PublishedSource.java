package org.fastpath.metrics;

import java.util.List;

/** A source as a publisher sees it. */
public interface PublishedSource {
  /** In camel case with a capital first; unique in the process. */
  String name();

  /** One line for an operator. */
  String description();

  /** The names of the tags that tell pseudo-sources apart; none where it has none. */
  List<String> tags();

  /** What it has been registered with so far, every metric once. */
  List<MetricDefinition> definitions();

  /**
   * Gives all its records to the sink. May be called by several threads at once. No lock is held
   * while a gauge is asked; a gauge that throws or takes too long is left out. Pseudo-sources that
   * leave meanwhile are given or left out, each as a whole.
   */
  void snapshot(RecordSink sink);

  /** The publisher found, after it had taken the source, that it cannot show it. */
  void notShown(String why);
}
