/**
 * Moves the replicas of files to the storage types that their policies want, one file at a time and
 * at once.
 *
 * <p>{@link org.fastpath.tiered.datanode.move.FileMover} is the library, {@link
 * org.fastpath.tiered.datanode.move.MoveCommand} the command. See {@code docs/features/mover.md}.
 */
package org.fastpath.tiered.datanode.move;
