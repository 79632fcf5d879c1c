/**
 * The command line of the benchmarks. Each experiment is in a room: {@code jmh}, {@code simulators}
 * or {@code workloads}; all of them use the {@code engine}, and none another room.
 */
package org.fastpath.bench;
