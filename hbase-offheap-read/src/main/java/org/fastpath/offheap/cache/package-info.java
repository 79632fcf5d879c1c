/**
 * Adapts the cache to HBase: an off-heap second-level block cache (HBASE-11425, "Offheaping the
 * read path in HBase").
 *
 * <p>The metadata of cached blocks is off the heap, too. {@link
 * org.fastpath.offheap.index.BlockEntries} holds one record of 64 bytes per block. {@link
 * org.fastpath.offheap.index.BlockTable} finds it and counts its readers. An {@link
 * org.fastpath.offheap.memory.ExtentAllocator} places its bytes, and an {@link
 * org.fastpath.offheap.policy.EvictionPolicy} chooses victims. {@link
 * org.fastpath.offheap.store.BlockStore} owns them all. Readers take no lock and copy nothing.
 *
 * <p>Packages depend on each other in one direction: {@code cache} on all others, {@code restart}
 * on {@code store}, that on {@code policy}, that on {@code index}, that on {@code memory}; {@code
 * reader} on {@code memory}.
 */
package org.fastpath.offheap.cache;
