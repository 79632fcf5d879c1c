/** The demo: two clusters side by side, and a verdict for each row. */
package org.fastpath.bench.demo;
