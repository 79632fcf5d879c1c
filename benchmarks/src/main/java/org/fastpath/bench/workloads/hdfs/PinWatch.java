package org.fastpath.bench.workloads.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.fastpath.bench.engine.Figure;
import org.fastpath.bench.engine.Run;
import org.fastpath.bench.engine.cluster.Meter;
import org.fastpath.bench.engine.cluster.Pins;
import org.fastpath.bench.engine.cluster.Testbed;
import org.fastpath.bench.engine.cluster.Variant;
import org.fastpath.bench.engine.cluster.Window;

/** The windows of one variant's turn, and the pins at the end of each. Not thread-safe. */
final class PinWatch {
  static final int WINDOW_MILLIS = 2000;
  private static final double MEGABYTE = 1 << 20;
  private final Testbed testbed;
  private final Variant variant;
  private final Meter meter;
  private final List<Window> windows = new ArrayList<>();
  private final List<Pins> pins = new ArrayList<>();

  PinWatch(Testbed testbed, Variant variant, Meter meter) {
    this.testbed = testbed;
    this.variant = variant;
    this.meter = meter;
  }

  /** Measures the next window. */
  Window next() throws IOException {
    windows.add(meter.window(WINDOW_MILLIS));
    pins.add(Pins.of(testbed, variant));
    return windows.get(windows.size() - 1);
  }

  /** Returns the number of windows. */
  int size() {
    return windows.size();
  }

  /** Returns the maximum of pinned megabytes at the end of a window. */
  double mostMegabytes() {
    return pins.stream().mapToLong(Pins::pinnedBytes).max().orElse(0) / MEGABYTE;
  }

  /** Returns the files that were pinned or unpinned since the end of that window. */
  long changesSince(int window) {
    return pins.get(pins.size() - 1).changes() - pins.get(window).changes();
  }

  /** Draws hits, slow requests and pinned bytes over time. */
  void chart(Run run, String title, Figure<Window> hit) {
    line(run, title + "out of memory", "%", windows.stream().map(hit::of).toList());
    line(run, title + "p99", "ms", windows.stream().map(Window.P99::of).toList());
    if (variant.pinsFiles()) {
      List<Double> cached = pins.stream().map(at -> at.cachedBytes() / MEGABYTE).toList();
      line(run, title + "pinned", "MB", cached);
    }
  }

  private void line(Run run, String chart, String unit, List<Double> values) {
    long begin = windows.get(0).beginMillis();
    List<Double> x = windows.stream().map(window -> (window.endMillis() - begin) / 1e3).toList();
    run.line(chart, variant.id(), "s", unit, x, values);
  }
}
