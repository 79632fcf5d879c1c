/**
 * An off-heap second-level block cache for HBase (HBASE-11425, "Offheaping the read path in
 * HBase").
 *
 * <p>What a RegionServer needs to know about a cached block lives off the heap too: {@link
 * org.fastpath.offheap.cache.Entries} holds one record of 64 bytes a block, {@link
 * org.fastpath.offheap.cache.BlockTable} finds it and counts who reads it, an {@link
 * org.fastpath.offheap.cache.ExtentAllocator} places its bytes, and an {@link
 * org.fastpath.offheap.cache.EvictionPolicy} says which block leaves. Readers take no lock and copy
 * nothing.
 */
package org.fastpath.offheap.cache;
