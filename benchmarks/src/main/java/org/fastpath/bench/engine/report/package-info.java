/** Draws results as one HTML page ({@link org.fastpath.bench.engine.report.Report}). */
package org.fastpath.bench.engine.report;
