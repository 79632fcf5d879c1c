/**
 * A cache that outlives its process: blocks are recorded in the file that they lie in ({@link
 * org.fastpath.offheap.restart.WarmRestart}).
 *
 * <p>Depends on {@code store} and the packages below it.
 */
package org.fastpath.offheap.restart;
