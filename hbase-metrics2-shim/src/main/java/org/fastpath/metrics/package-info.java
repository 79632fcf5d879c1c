/**
 * Metrics of every module: counters, gauges, and histograms with quantiles, in sources that a
 * publisher shows. No type of Hadoop or HBase is in this package. {@link java.util.ServiceLoader}
 * finds the {@link org.fastpath.metrics.MetricsPublisher}. Without one, every metric does nothing.
 *
 * <p>The shape follows HBASE-4050 (HBase's own move to Metrics2). Modules know small interfaces.
 * Things that come and go are pseudo-sources of one aggregate source. An update of a metric needs
 * no look-up.
 */
package org.fastpath.metrics;
