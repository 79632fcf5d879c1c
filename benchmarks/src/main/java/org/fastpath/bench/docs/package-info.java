/**
 * Documents that are generated from the code: {@code docs/operate/metrics.md} from what the modules
 * register.
 */
package org.fastpath.bench.docs;
