/**
 * Runs published clients of HBase against a cluster with every module on. They are HBase's
 * integration tests and its PerformanceEvaluation, YCSB, and Phoenix. Each client runs in a JVM of
 * its own on stock jars.
 */
package org.fastpath.clients;
