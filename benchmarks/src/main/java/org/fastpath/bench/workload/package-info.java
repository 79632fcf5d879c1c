/**
 * Work on a cluster of real processes whose RegionServer and DataNode change sides ({@link
 * org.fastpath.bench.workload.Testbed}), what it costs them, and the experiments made of it.
 */
package org.fastpath.bench.workload;
