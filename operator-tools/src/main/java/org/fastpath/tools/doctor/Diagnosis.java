package org.fastpath.tools.doctor;

import java.util.List;

/** All that the doctor has found, and the exit code for it. */
record Diagnosis(Evidence evidence, List<Problem> problems) {
  /** Nothing is wrong, but for advice. */
  static final int HEALTHY = 0;

  /** There is a problem. */
  static final int ILL = 1;

  /** Something could not be looked at. */
  static final int UNSEEN = 2;

  static Diagnosis of(Evidence evidence) {
    return new Diagnosis(evidence, Doctor.examine(evidence));
  }

  /**
   * The exit code.
   *
   * @param strict whether advice counts as a problem
   */
  int exitCode(boolean strict) {
    if (has(Severity.UNSEEN)) {
      return UNSEEN;
    }
    return has(Severity.PROBLEM) || strict && has(Severity.ADVICE) ? ILL : HEALTHY;
  }

  private boolean has(Severity severity) {
    return problems.stream().anyMatch(problem -> problem.severity() == severity);
  }
}
