package org.fastpath.tiered.datanode.move;

import java.util.Optional;

/**
 * That a move of a file was requested.
 *
 * @param isOpen whether it waits or moves; if not, it was given up
 * @param isWithoutRoom whether it waits, or was given up, because the tier is full
 * @param madeMillis when, by the clock of who requested it
 */
public record MoveRequested(boolean isOpen, boolean isWithoutRoom, long madeMillis) {
  static MoveRequested of(MoveRequest request) {
    return new MoveRequested(
        request.isOpen(),
        request.obstacle().equals(Optional.of(Obstacle.NO_TARGET)),
        request.madeMillis());
  }
}
