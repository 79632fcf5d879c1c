/** Measures off-heap block caches: alone in a JVM, and in a RegionServer with clients. */
package org.fastpath.bench.workloads.caches;
