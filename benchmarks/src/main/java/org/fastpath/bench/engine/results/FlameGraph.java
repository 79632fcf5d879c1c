package org.fastpath.bench.engine.results;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A flame graph that a profiler wrote beside the results.
 *
 * @param title the profiled work
 * @param variant the variant that did it
 * @param file an HTML or SVG file, relative to the results file
 */
public record FlameGraph(String title, @JsonProperty("side") String variant, String file) {}
