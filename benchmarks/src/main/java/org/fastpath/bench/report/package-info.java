/**
 * Draws results: one self-contained HTML page ({@link org.fastpath.bench.report.Report}) and the
 * table of published and measured numbers ({@link org.fastpath.bench.report.BlogNumbers}).
 */
package org.fastpath.bench.report;
