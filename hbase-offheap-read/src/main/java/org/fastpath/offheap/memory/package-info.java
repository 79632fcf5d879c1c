/**
 * Memory off the heap: ranges with a lifetime and checked access ({@link
 * org.fastpath.offheap.memory.Memory}), regions for blocks ({@link
 * org.fastpath.offheap.memory.CacheMemory}) and the extents in them ({@link
 * org.fastpath.offheap.memory.ExtentAllocator}).
 *
 * <p>Depends on no other package of this jar, and not on HBase.
 */
package org.fastpath.offheap.memory;
