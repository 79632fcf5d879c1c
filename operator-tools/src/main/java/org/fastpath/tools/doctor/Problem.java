package org.fastpath.tools.doctor;

/**
 * One mistake.
 *
 * @param where the place: a file and line, or a daemon
 * @param text one line that describes the problem
 * @param remedy the line that fixes it
 */
record Problem(Kind kind, String where, String text, String remedy) {
  Severity severity() {
    return kind.severity();
  }
}
