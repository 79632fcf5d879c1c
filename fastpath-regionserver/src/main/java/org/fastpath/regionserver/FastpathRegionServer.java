package org.fastpath.regionserver;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.fastpath.regionserver.page.FastpathPage;
import org.fastpath.regionserver.page.History;
import org.fastpath.regionserver.page.MenuFilter;

/**
 * A RegionServer with the features of all our jars that are on its class path. One line in {@code
 * hbase-site.xml} of the RegionServers installs it:
 *
 * <pre>{@code
 * hbase.regionserver.impl = org.fastpath.regionserver.FastpathRegionServer
 * }</pre>
 *
 * <p>{@link ServerKeys} sets the keys, and decides when a feature stands aside. The web interface
 * has the page {@code /fastpath} with the state of the features, linked from its menu.
 */
public class FastpathRegionServer extends HRegionServer {
  private final CacheHandle cache;

  /** Set during the construction of the superclass; an initializer would clear it. */
  private History history;

  /** Called by HBase, which looks for this signature. */
  public FastpathRegionServer(Configuration conf) throws IOException {
    this(conf, prepare(conf));
  }

  private FastpathRegionServer(Configuration conf, Set<ServerModule> on) throws IOException {
    super(conf);
    cache = isCached(on) ? CacheParts.install(this) : CacheHandle.NONE;
  }

  /** Sets keys before the superclass reads them. */
  private static Set<ServerModule> prepare(Configuration conf) {
    Set<ServerModule> on = ServerKeys.prepare(conf);
    if (isCached(on)) {
      CacheParts.prepare(conf);
    }
    MenuFilter.addTo(conf);
    return on;
  }

  /** Returns whether the cache is on. The reader's indexes are in the cache. */
  private static boolean isCached(Set<ServerModule> on) {
    return on.contains(ServerModule.CACHE) || on.contains(ServerModule.READER);
  }

  /** Called by the superclass's constructor, if there is a web interface. */
  @Override
  protected void configureInfoServer() {
    super.configureInfoServer();
    if (history != null) {
      // The port was taken, and another one is tried.
      history.close();
    }
    history = History.start();
    FastpathPage.addTo(infoServer, history);
  }

  /** Called once per change in every version, because a RegionServer observes itself. */
  @Override
  public void onConfigurationChange(Configuration conf) {
    super.onConfigurationChange(conf);
    cache.onConfigurationChange(conf);
  }

  @Override
  public void run() {
    try {
      super.run();
    } finally {
      if (history != null) {
        history.close();
      }
    }
  }
}
