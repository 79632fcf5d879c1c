/**
 * The command line of the benchmarks. Each experiment is in a room: {@code jmh}, {@code simulators}
 * or {@code workloads}. All rooms use the {@code engine}, and no room uses another one.
 */
package org.fastpath.bench;
