/** Simulates the choice of volumes on DataNodes with a fail-slow disk. */
package org.fastpath.bench.simulators.volumes;
