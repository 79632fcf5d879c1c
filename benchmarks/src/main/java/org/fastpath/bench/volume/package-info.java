/**
 * Volume choosing policies on a real DataNode whose volumes differ in speed, by {@code bin/fastpath
 * workload volume-choice}.
 */
package org.fastpath.bench.volume;
