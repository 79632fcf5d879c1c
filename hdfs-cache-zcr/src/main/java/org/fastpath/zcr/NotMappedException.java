package org.fastpath.zcr;

/**
 * A block has no mapping and gets none for now. There is one instance for each reason, without a
 * stack trace.
 */
final class NotMappedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Fallback why;

  NotMappedException(Fallback why) {
    super(why.name(), null, false, false);
    this.why = why;
  }

  Fallback why() {
    return why;
  }
}
