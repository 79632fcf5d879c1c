/** Choice of volumes on DataNodes with a disk that fails slowly, simulated. */
package org.fastpath.bench.simulators.volumes;
