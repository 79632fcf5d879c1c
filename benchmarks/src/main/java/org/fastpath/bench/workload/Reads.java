package org.fastpath.bench.workload;

/** Kinds of reads, each with the unit in which its cost is told. */
public enum Reads {
  /** Single gets at random. */
  GET("get", "µs/get", 1e3),
  /** Scans by one thread, a hundred rows per RPC, and what a row costs. */
  SCAN("scan", "ns/row", 1),
  /** Scans by one thread, one row per RPC, so that a row costs what an RPC costs. */
  SCAN_NEXT("scan-next", "µs/RPC", 1e3);

  private final String label;
  private final String unit;
  private final double nanosPerUnit;

  Reads(String label, String unit, double nanosPerUnit) {
    this.label = label;
    this.unit = unit;
    this.nanosPerUnit = nanosPerUnit;
  }

  /** The name in results. */
  public String label() {
    return label;
  }

  /** The unit of its cost. */
  public String unit() {
    return unit;
  }

  /** A cost in that unit. */
  public double inUnit(double nanos) {
    return nanos / nanosPerUnit;
  }
}
