package org.fastpath.tools.doctor;

import java.util.function.Consumer;

/** Finds one kind of mistake, or a few related ones. */
@FunctionalInterface
interface Check {
  void check(Evidence evidence, Consumer<Problem> problems);

  /** Checks one directory. */
  @FunctionalInterface
  interface OfDirectory {
    void check(ConfDirectory directory, Consumer<Problem> problems);
  }

  /** Checks each directory separately. */
  static Check each(OfDirectory check) {
    return (evidence, problems) ->
        evidence.directories().forEach(directory -> check.check(directory, problems));
  }

  /** Checks each directory of HBase separately. */
  static Check hbase(OfDirectory check) {
    return (evidence, problems) ->
        evidence.hbase().forEach(directory -> check.check(directory, problems));
  }

  /** Checks each directory of Hadoop separately. */
  static Check hadoop(OfDirectory check) {
    return (evidence, problems) ->
        evidence.hadoop().forEach(directory -> check.check(directory, problems));
  }
}
