/**
 * Keeps the most read store files in the memory of DataNodes, by the directives of one cache pool.
 */
package org.fastpath.zcr.pin;
