package org.fastpath.tiered.datanode.move;

/**
 * The result of {@link FileMover#submit}. It identifies the request in later questions about its
 * status.
 */
public final class MoveTicket {
  private final MoveRequest request;
  private final String path;

  MoveTicket(MoveRequest request, String path) {
    this.request = request;
    this.path = path;
  }

  MoveRequest request() {
    return request;
  }

  /** Returns the path at the time of the request. */
  public String path() {
    return path;
  }
}
