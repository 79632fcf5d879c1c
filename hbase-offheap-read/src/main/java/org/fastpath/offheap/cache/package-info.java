/**
 * The face of the cache that HBase sees: an off-heap second-level block cache (HBASE-11425,
 * "Offheaping the read path in HBase").
 *
 * <p>What a RegionServer needs to know about a cached block lives off the heap too: {@link
 * org.fastpath.offheap.index.BlockEntries} holds one record of 64 bytes a block, {@link
 * org.fastpath.offheap.index.BlockTable} finds it and counts its readers, an {@link
 * org.fastpath.offheap.memory.ExtentAllocator} places its bytes, an {@link
 * org.fastpath.offheap.policy.EvictionPolicy} says which block leaves, and {@link
 * org.fastpath.offheap.store.BlockStore} owns them all. Readers take no lock and copy nothing.
 *
 * <p>Packages depend on each other in one direction: {@code cache} on all others, {@code restart}
 * on {@code store}, that on {@code policy}, that on {@code index}, that on {@code memory}; {@code
 * reader} on {@code memory}.
 */
package org.fastpath.offheap.cache;
