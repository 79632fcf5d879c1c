package org.fastpath.bench.engine.results;

/**
 * A flame graph that a profiler wrote beside the results.
 *
 * @param title what was profiled
 * @param side the side it belongs to
 * @param file an HTML or SVG file, relative to the results file
 */
public record FlameGraph(String title, String side, String file) {}
