package org.fastpath.tools.doctor;

/** How much a problem matters. */
enum Severity {
  /** A setting that would be better otherwise. It does not change the exit code. */
  ADVICE,
  /** Something does not work as the configuration asks. */
  PROBLEM,
  /** The doctor could not look at something. */
  UNSEEN
}
