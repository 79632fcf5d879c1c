package org.fastpath.clients.differential;

import java.util.List;

/** One of the two systems that are compared. */
interface Side extends AutoCloseable {
  /** Begins a run: names of tables of earlier runs mean nothing any more. */
  void begin(int run, Times times) throws Exception;

  /** Carries out an operation. What the client sees of a failure is an outcome too. */
  Outcome apply(Line line) throws Exception;

  /** Ends a run: closes its scanners and drops its tables and snapshots. */
  void end() throws Exception;

  /** What must hold of resources after all runs; the failures, none if all is well. */
  default List<String> leaks() throws Exception {
    return List.of();
  }

  @Override
  default void close() throws Exception {}
}
