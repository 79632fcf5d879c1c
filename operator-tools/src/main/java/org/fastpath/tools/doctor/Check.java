package org.fastpath.tools.doctor;

import java.util.function.Consumer;

/** Looks for one kind of mistake, or for a few that belong together. */
@FunctionalInterface
interface Check {
  void check(Evidence evidence, Consumer<Problem> problems);

  /** Looks at one directory. */
  @FunctionalInterface
  interface OfDirectory {
    void check(ConfDirectory directory, Consumer<Problem> problems);
  }

  /** Looks at each directory by itself. */
  static Check each(OfDirectory check) {
    return (evidence, problems) ->
        evidence.directories().forEach(directory -> check.check(directory, problems));
  }

  /** Looks at each directory of HBase by itself. */
  static Check hbase(OfDirectory check) {
    return (evidence, problems) ->
        evidence.hbase().forEach(directory -> check.check(directory, problems));
  }

  /** Looks at each directory of Hadoop by itself. */
  static Check hadoop(OfDirectory check) {
    return (evidence, problems) ->
        evidence.hadoop().forEach(directory -> check.check(directory, problems));
  }
}
