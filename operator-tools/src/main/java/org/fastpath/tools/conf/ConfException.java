package org.fastpath.tools.conf;

/** Says in one line which file or directory cannot be used, and why. */
public class ConfException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Makes an exception with that line. */
  public ConfException(String line) {
    super(line);
  }

  /** Makes an exception with that line and its cause. */
  public ConfException(String line, Throwable cause) {
    super(line, cause);
  }
}
