/**
 * What the choice of a volume costs, what it is worth on disks that fail slowly, simulated and on a
 * real DataNode, and what the volumes of DataNodes are doing as their own metrics say.
 */
package org.fastpath.bench.tiered;
