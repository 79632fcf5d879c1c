/**
 * Local clusters of real processes whose servers change sides ({@link
 * org.fastpath.bench.engine.cluster.Testbed}), their clients, and windows of what both did.
 */
package org.fastpath.bench.engine.cluster;
