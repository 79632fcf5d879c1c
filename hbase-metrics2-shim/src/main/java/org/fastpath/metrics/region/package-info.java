/**
 * Counts and latencies of every region and table of a RegionServer: {@link
 * org.fastpath.metrics.region.RegionMetricsObserver} is named in {@code
 * hbase.coprocessor.region.classes}, and the sources {@code FastpathRegions} and {@code
 * FastpathTables} follow the regions as they open and close.
 */
package org.fastpath.metrics.region;
