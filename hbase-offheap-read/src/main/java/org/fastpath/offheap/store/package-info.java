/**
 * The cache without HBase. {@link org.fastpath.offheap.store.BlockStore} owns all state; its users
 * hold {@link org.fastpath.offheap.store.Pin}s, objects made of a {@link
 * org.fastpath.offheap.store.PinTicket}, and {@link org.fastpath.offheap.store.Reservation}s.
 *
 * <p>Depends on {@code policy}, {@code index} and {@code memory}, and not on HBase.
 */
package org.fastpath.offheap.store;
