package org.fastpath.tiered.datanode.move;

import java.util.Optional;

/**
 * The state of a requested move of a file.
 *
 * @param isOpen whether it waits or moves; otherwise it failed
 * @param isWithoutRoom whether it waits or failed because the tier is full
 * @param madeMillis time of the request, by the clock of the requester
 */
public record MoveRequested(boolean isOpen, boolean isWithoutRoom, long madeMillis) {
  static MoveRequested of(MoveRequest request) {
    return new MoveRequested(
        request.isOpen(),
        request.failureReason().equals(Optional.of(MoveFailureReason.NO_TARGET)),
        request.madeMillis());
  }
}
