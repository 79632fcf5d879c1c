/**
 * Local clusters of real processes whose servers change variants ({@link
 * org.fastpath.bench.engine.cluster.Testbed}), their clients, and windows of measurements.
 */
package org.fastpath.bench.engine.cluster;
