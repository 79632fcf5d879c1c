/**
 * Published clients of HBase against two clusters at a time: HBase's PerformanceEvaluation and
 * YCSB, which ask as applications ask. One cluster is stock with BucketCache, the other has every
 * module of ours. Nothing else of the benchmarks is used but results, report and directories.
 */
package org.fastpath.bench.clients;
