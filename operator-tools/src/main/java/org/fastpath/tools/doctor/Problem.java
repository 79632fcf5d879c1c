package org.fastpath.tools.doctor;

/**
 * One mistake.
 *
 * @param where the place: a file and line, or a daemon
 * @param text one line that says what is wrong
 * @param mend the line that mends it
 */
record Problem(Kind kind, String where, String text, String mend) {
  Severity severity() {
    return kind.severity();
  }
}
