/**
 * What is known of each cached block, off the heap ({@link
 * org.fastpath.offheap.index.BlockEntries}), and how it is found and held without a lock ({@link
 * org.fastpath.offheap.index.BlockTable}).
 *
 * <p>Depends on {@code memory} only, and not on HBase.
 */
package org.fastpath.offheap.index;
