/**
 * Watches whether writes come into a RegionServer faster than the tier of its store files takes
 * them, and where files that were just written have gone.
 */
package org.fastpath.tiered.regionserver.guard;
