/** What the choice of a volume costs, and what it is worth on disks that fail slowly. */
package org.fastpath.bench.tiered;
