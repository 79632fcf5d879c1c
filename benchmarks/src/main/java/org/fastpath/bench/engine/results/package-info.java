/** Raw measurements of a run in a file, and the comparison of its variants. */
package org.fastpath.bench.engine.results;
