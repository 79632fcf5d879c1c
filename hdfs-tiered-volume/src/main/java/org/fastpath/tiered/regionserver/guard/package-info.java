/**
 * Compares a RegionServer's writes with the throughput of its store files' tier, and finds the
 * tiers of new files.
 */
package org.fastpath.tiered.regionserver.guard;
