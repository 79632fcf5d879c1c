package org.fastpath.metrics;

import java.util.List;

/** A source as a publisher sees it. */
public interface PublishedSource {
  /** Returns the name: camel case with a capital first, unique in the process. */
  String name();

  /** Returns one line for an operator. */
  String description();

  /**
   * Returns the names of the tags that distinguish pseudo-sources; empty without pseudo-sources.
   */
  List<String> tags();

  /** Returns the definitions of all metrics so far, each once. */
  List<MetricDefinition> definitions();

  /**
   * Gives all its records to the sink. Several threads may call this at once. No lock is held while
   * a gauge is read. A gauge that throws or takes too long is omitted. A pseudo-source that leaves
   * meanwhile is either complete or absent.
   */
  void snapshot(RecordSink sink);

  /** Reports that the publisher accepted the source but cannot show it. */
  void notShown(String why);
}
