package org.fastpath.tiered.datanode.move;

import java.util.Locale;

/**
 * What has become of a request.
 *
 * @param path at the time of the request
 * @param inode of the file, which has it wherever it is now
 * @param state how far it has come
 * @param reason why it waits or has failed; empty if there is nothing to say
 */
public record MoveStatus(String path, long inode, MoveState state, String reason) {
  static MoveStatus of(String path, MoveRequest request) {
    return new MoveStatus(
        path,
        request.inode(),
        request.state(),
        request.obstacle().map(Obstacle::description).orElse(""));
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
