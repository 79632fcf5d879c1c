/**
 * Chooses the storage tier of each file of HBase by rules. It runs in RegionServers and HMasters.
 */
package org.fastpath.tiered.regionserver;
