package org.fastpath.regionserver.page;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.http.FilterContainer;
import org.apache.hadoop.hbase.http.FilterInitializer;

/**
 * Adds {@link MenuEntryFilter} to HBase's web interface, by HBase's plug-in point for filters.
 * HBase has no plug-in point for entries of the menu.
 */
public final class MenuFilter extends FilterInitializer {
  static final String KEY = "hbase.http.filter.initializers";

  /** Called by HBase. */
  public MenuFilter() {}

  /** Adds it to the filters of a RegionServer that is about to start. */
  public static void addTo(Configuration conf) {
    List<String> filters = new ArrayList<>(Arrays.asList(conf.getTrimmedStrings(KEY)));
    if (!filters.contains(MenuFilter.class.getName())) {
      filters.add(MenuFilter.class.getName());
      conf.set(KEY, String.join(",", filters));
    }
  }

  @Override
  public void initFilter(FilterContainer container, Configuration conf) {
    container.addFilter("fastpath-menu", MenuEntryFilter.class.getName(), Map.of());
  }
}
