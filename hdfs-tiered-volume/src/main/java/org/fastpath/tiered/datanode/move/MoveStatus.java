package org.fastpath.tiered.datanode.move;

import java.util.Locale;

/**
 * The status of a request.
 *
 * @param path at the time of the request
 * @param inode of the file, independent of renames
 * @param state of the request
 * @param reason why it waits or has failed; may be empty
 */
public record MoveStatus(String path, long inode, MoveState state, String reason) {
  static MoveStatus of(String path, MoveRequest request) {
    return new MoveStatus(
        path,
        request.inode(),
        request.state(),
        request.failureReason().map(MoveFailureReason::description).orElse(""));
  }

  boolean isEnd() {
    return state == MoveState.DONE || state == MoveState.FAILED;
  }

  @Override
  public String toString() {
    String text = state.name().toLowerCase(Locale.ROOT) + "  " + path;
    return reason.isEmpty() ? text : text + "  " + reason;
  }
}
