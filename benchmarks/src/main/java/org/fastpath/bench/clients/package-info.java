/**
 * Runs published clients of HBase against two clusters in turns: HBase's PerformanceEvaluation and
 * YCSB, which send the requests of applications. One cluster is stock with BucketCache, the other
 * has all our modules.
 */
package org.fastpath.bench.clients;
