/**
 * The off-heap metadata of cached blocks ({@link org.fastpath.offheap.index.BlockEntries}), and the
 * index that finds and pins blocks without a lock ({@link org.fastpath.offheap.index.BlockTable}).
 *
 * <p>Depends on {@code memory} only, and not on HBase.
 */
package org.fastpath.offheap.index;
