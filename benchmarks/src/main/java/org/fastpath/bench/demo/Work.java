package org.fastpath.bench.demo;

import java.util.List;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.cluster.DataTable;
import org.fastpath.bench.engine.cluster.RequestLoad;
import org.fastpath.bench.engine.cluster.Requests;
import org.fastpath.bench.engine.cluster.Window;

/**
 * A piece of work that the demo does on both variants in turn, and its figures.
 *
 * @param name of its rows
 * @param what a description for people
 * @param figures of a slice
 * @param request the clients' request
 * @param threads number of clients
 */
record Work(
    String name,
    String what,
    List<Figure<Window>> figures,
    RequestLoad.Request request,
    int threads) {
  private static final int BATCH = 100;
  private static final int SCAN_ROWS = 1000;

  /**
   * The figures while all blocks are cached. CPU time is first, because the client's share of the
   * machine hides the server's part of the rate.
   */
  private static final List<Figure<Window>> CACHED = List.of(Window.CPU, Window.RATE, Window.P99);

  /** Returns all pieces of work over a table of this shape. */
  static List<Work> all(DataTable.Shape shape) {
    Requests even = new Requests(shape, 0);
    return List.of(
        new Work("get", "single gets of cached rows", CACHED, even.get(), 4),
        new Work("multi-get", "gets of 100 cached rows each", CACHED, even.multiGet(BATCH), 4),
        new Work("short scan", "scans of 20 cached rows", CACHED, even.scan(20, 1, 0), 4),
        new Work("scan", "scans of 1,000 cached rows", CACHED, even.scan(SCAN_ROWS, 1, 0), 2),
        new Work(
            "filtered scan",
            "scans of 1,000 cached rows, all of which a filter drops",
            CACHED,
            even.scan(SCAN_ROWS, 0, 0),
            2));
  }
}
