/**
 * Which block leaves when room is needed ({@link org.fastpath.offheap.policy.EvictionPolicy}), and
 * the same without a cache, for measuring hit ratios ({@link
 * org.fastpath.offheap.policy.PolicySimulation}).
 *
 * <p>Depends on {@code index} and {@code memory}, and not on HBase.
 */
package org.fastpath.offheap.policy;
