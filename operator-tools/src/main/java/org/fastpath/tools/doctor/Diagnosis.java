package org.fastpath.tools.doctor;

import java.util.List;

/** The findings of the doctor, with the exit code. */
record Diagnosis(Evidence evidence, List<Problem> problems) {
  /** There is at most advice. */
  static final int HEALTHY = 0;

  /** There is a problem. */
  static final int PROBLEMS = 1;

  /** A file or daemon could not be read. */
  static final int UNSEEN = 2;

  static Diagnosis of(Evidence evidence) {
    return new Diagnosis(evidence, Doctor.examine(evidence));
  }

  /**
   * Returns the exit code.
   *
   * @param strict whether advice counts as a problem
   */
  int exitCode(boolean strict) {
    if (has(Severity.UNSEEN)) {
      return UNSEEN;
    }
    return has(Severity.PROBLEM) || strict && has(Severity.ADVICE) ? PROBLEMS : HEALTHY;
  }

  private boolean has(Severity severity) {
    return problems.stream().anyMatch(problem -> problem.severity() == severity);
  }
}
