/**
 * Reads that a RegionServer answers before it has regions, so that its code is compiled by then.
 */
package org.fastpath.zcr.warmup;
