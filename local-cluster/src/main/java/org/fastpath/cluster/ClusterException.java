package org.fastpath.cluster;

/**
 * A cluster could not be started, or a daemon of it died or did not become ready. The message names
 * the daemon, what was waited for, its log file and the lines of the log that matter.
 */
public class ClusterException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception with that message. */
  public ClusterException(String message) {
    super(message);
  }

  /** An exception with that message and cause. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
