/** Measures the choice of volumes on a real DataNode with modelled volumes. */
package org.fastpath.bench.workloads.volumes;
