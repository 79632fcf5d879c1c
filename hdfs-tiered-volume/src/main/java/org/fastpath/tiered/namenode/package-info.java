/**
 * Storage policies that an operator defines in the NameNode's configuration.
 *
 * <p>See {@code docs/features/storage-policies.md}.
 */
package org.fastpath.tiered.namenode;
