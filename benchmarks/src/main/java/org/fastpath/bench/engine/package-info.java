/**
 * The common code of all experiments: rounds, order, slices, options, progress, verdicts, and the
 * class paths of stock and ours. An experiment is a subclass of {@link
 * org.fastpath.bench.engine.Experiment}.
 */
package org.fastpath.bench.engine;
