/** Eleven mixes of RAM, SSDs and disks, on devices whose speed is a model. */
package org.fastpath.bench.workloads.tiers;
