/** Measures reads of cached tables whose attributes select their variants. */
package org.fastpath.bench.workloads.readers;
