/**
 * Keeps blocks over a restart: the cache's file has the blocks and their records ({@link
 * org.fastpath.offheap.restart.WarmRestart}).
 *
 * <p>Depends on {@code store} and the packages below it.
 */
package org.fastpath.offheap.restart;
