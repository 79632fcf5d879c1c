/** Measures major compactions with checksums computed in four ways. */
package org.fastpath.bench.workloads.compaction;
