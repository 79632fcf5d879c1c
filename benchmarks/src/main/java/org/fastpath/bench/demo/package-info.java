/** The demo runs two clusters side by side and gives a verdict for each row. */
package org.fastpath.bench.demo;
