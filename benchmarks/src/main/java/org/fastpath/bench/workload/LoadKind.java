package org.fastpath.bench.workload;

/** Reads that many clients do at the same time. */
enum LoadKind {
  /** Several rows per request, each chosen by itself. */
  MULTI_GET("multi-get"),
  /** A range of rows per request, all of which the server reads and filters out. */
  SCAN("scan");

  private final String label;

  LoadKind(String label) {
    this.label = label;
  }

  /** The name on the command line and in results. */
  String label() {
    return label;
  }
}
