/** Runs PerformanceEvaluation and YCSB against two clusters in turns. */
package org.fastpath.bench.clients;
