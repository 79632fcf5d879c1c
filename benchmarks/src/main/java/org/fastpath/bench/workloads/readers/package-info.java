/** Reads of cached tables whose attributes say which side they are. */
package org.fastpath.bench.workloads.readers;
