package org.fastpath.tiered.datanode.move;

/** What {@link FileMover#submit} gives, to ask later what has become of the request. */
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

  /** The path at the time of the request. */
  public String path() {
    return path;
  }
}
