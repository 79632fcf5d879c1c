package org.fastpath.bench.engine.results;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A flame graph of a variant's work in an HTML or SVG file, relative to the results file. */
public record FlameGraph(String title, @JsonProperty("side") String variant, String file) {}
