/** Measures reads of cached tables whose attributes select their sides. */
package org.fastpath.bench.workloads.readers;
