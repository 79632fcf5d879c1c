/**
 * Keeps the store files that deserve it in the memory of DataNodes, by the directives of one cache
 * pool.
 */
package org.fastpath.zcr.pin;
