/**
 * The demo: the same work on stock HBase and with our jars in front, side by side. A module that
 * has something to show adds a {@link org.fastpath.bench.demo.DemoPart}.
 */
package org.fastpath.bench.demo;
