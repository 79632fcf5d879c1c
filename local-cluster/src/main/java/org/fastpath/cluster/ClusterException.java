package org.fastpath.cluster;

/**
 * A cluster could not be started, or a daemon of it died or did not become ready. The message names
 * the daemon, the awaited event, the log file and its relevant lines.
 */
public class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Makes an exception with that message. */
  public ClusterException(String message) {
    super(message);
  }

  /** Makes an exception with that message and cause. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
