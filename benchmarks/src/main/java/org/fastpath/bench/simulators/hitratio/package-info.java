/** Hit ratios of cache policies on traces: ours, its rivals and the optimum, without a cluster. */
package org.fastpath.bench.simulators.hitratio;
