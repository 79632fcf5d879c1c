/**
 * The common code of all experiments: rounds, order, slices, options, progress, verdicts, and the
 * class paths of stock and ours.
 */
package org.fastpath.bench.engine;
