/** Reads of a RegionServer before it has regions, so that its code is compiled by then. */
package org.fastpath.zcr.warmup;
