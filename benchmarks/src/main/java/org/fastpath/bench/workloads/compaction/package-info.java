/** What a major compaction costs with checksums computed in four ways. */
package org.fastpath.bench.workloads.compaction;
