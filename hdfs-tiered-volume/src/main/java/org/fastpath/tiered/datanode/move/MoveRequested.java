package org.fastpath.tiered.datanode.move;

/**
 * That a move of a file was requested.
 *
 * @param isOpen whether it waits or moves; if not, it was given up
 * @param madeMillis when, by the clock of who requested it
 */
public record MoveRequested(boolean isOpen, long madeMillis) {
  static MoveRequested of(MoveRequest request) {
    return new MoveRequested(request.isOpen(), request.madeMillis());
  }
}
