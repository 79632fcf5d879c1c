/**
 * Metrics of every module: counters, gauges, histograms with quantiles, in sources that a publisher
 * shows to the world. No type of Hadoop or HBase is in this package; {@link
 * org.fastpath.metrics.MetricsPublisher} is found by {@link java.util.ServiceLoader}, and without
 * one every metric does nothing.
 *
 * <p>The shape follows HBASE-4050 (HBase's own move to Metrics2): modules know small interfaces,
 * things that come and go are pseudo-sources of one aggregate source, and nothing is looked up
 * where a metric is updated.
 */
package org.fastpath.metrics;
