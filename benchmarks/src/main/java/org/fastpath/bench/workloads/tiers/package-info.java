/** Measures eleven mixes of RAM, SSDs and disks on modelled devices. */
package org.fastpath.bench.workloads.tiers;
