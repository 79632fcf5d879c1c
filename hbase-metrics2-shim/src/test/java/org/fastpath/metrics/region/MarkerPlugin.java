package org.fastpath.metrics.region;

import org.apache.hadoop.util.ServicePlugin;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/** Comes to a DataNode as a plug-in and shows a source there, as a module of ours would. */
public final class MarkerPlugin implements ServicePlugin {
  static final String SOURCE = "PluginMarker";

  /** For the DataNode. */
  public MarkerPlugin() {}

  @Override
  public void start(Object service) {
    SourceBuilder builder = Metrics.source(SOURCE, "A source in a DataNode");
    builder.counter("startCount", "How often the plug-in was started").increment();
    builder.register();
  }

  @Override
  public void stop() {}

  @Override
  public void close() {}
}
