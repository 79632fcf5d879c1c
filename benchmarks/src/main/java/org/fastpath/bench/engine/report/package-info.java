/**
 * Draws results as one self-contained HTML page ({@link org.fastpath.bench.engine.report.Report}).
 */
package org.fastpath.bench.engine.report;
