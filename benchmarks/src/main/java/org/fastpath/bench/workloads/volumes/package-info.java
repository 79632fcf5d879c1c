/** Choice of volumes on a real DataNode whose volumes are a model. */
package org.fastpath.bench.workloads.volumes;
