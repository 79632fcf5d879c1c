package org.fastpath.bench.workload;

import org.fastpath.cluster.CpuTime;

/**
 * The counters of a RegionServer at one moment, and what its clients have done until then.
 *
 * @param millis the moment, in milliseconds since 1970
 * @param rows rows that the clients have read
 * @param cpu CPU time of the whole process
 * @param l2Hits hits in the second-level cache, as HBase counts them
 * @param l2Misses misses there, as HBase counts them
 * @param blockReads blocks read from HDFS, by any read
 * @param pointBlockReads those of them that were read by position, as gets do and streaming scans
 *     do not
 * @param heapBytes heap in use
 * @param diskBytes bytes that disks have read for the process: what it did not find in the page
 *     cache, and what the kernel read ahead
 */
record ServerReading(
    long millis,
    long rows,
    CpuTime cpu,
    long l2Hits,
    long l2Misses,
    long blockReads,
    long pointBlockReads,
    long heapBytes,
    long diskBytes) {}
