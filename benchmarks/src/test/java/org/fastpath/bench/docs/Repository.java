package org.fastpath.bench.docs;

import java.nio.file.Path;

/** The paths of the documents; tests run in the module's directory. */
final class Repository {
  private static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();

  static final Path DASHBOARD = DOCS.resolve("operate/grafana/hbase-fastpath.json");
  static final Path METRICS_PAGE = DOCS.resolve("operate/metrics.md");
  static final Path PROMETHEUS = DOCS.resolve("operate/prometheus.yml");

  private Repository() {}
}
