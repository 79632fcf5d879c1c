/**
 * Which tier of storage each file of HBase goes to, decided by what the file is. For RegionServers
 * and HMasters.
 */
package org.fastpath.tiered.regionserver;
