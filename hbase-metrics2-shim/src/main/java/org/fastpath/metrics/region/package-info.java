/**
 * Counts and latencies of every region and table of a RegionServer. An operator names {@link
 * org.fastpath.metrics.region.RegionMetricsObserver} in {@code hbase.coprocessor.region.classes}.
 * The sources {@code FastpathRegions} and {@code FastpathTables} follow the regions as they open
 * and close.
 */
package org.fastpath.metrics.region;
