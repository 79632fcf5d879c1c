package org.fastpath.tools.doctor;

/** The severity of a problem. */
enum Severity {
  /** A setting that could be better. It does not change the exit code. */
  ADVICE,
  /** A feature does not work as configured. */
  PROBLEM,
  /** The doctor could not read a file or daemon. */
  UNSEEN
}
