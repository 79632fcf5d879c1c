package org.fastpath.bench.engine.results;

/**
 * A flame graph that a profiler wrote beside the results.
 *
 * @param title the profiled work
 * @param side the side that did it
 * @param file an HTML or SVG file, relative to the results file
 */
public record FlameGraph(String title, String side, String file) {}
