/**
 * Chooses the block to evict ({@link org.fastpath.offheap.policy.EvictionPolicy}). {@link
 * org.fastpath.offheap.policy.PolicySimulation} runs a policy without a cache, for measuring hit
 * ratios.
 *
 * <p>Depends on {@code index} and {@code memory}, and not on HBase.
 */
package org.fastpath.offheap.policy;
