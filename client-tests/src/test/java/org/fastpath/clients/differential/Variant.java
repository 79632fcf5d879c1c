package org.fastpath.clients.differential;

import java.util.List;

/** One of the two compared systems. */
interface Variant extends AutoCloseable {
  /** Begins a run. Names of tables of earlier runs are invalid from then on. */
  void begin(int run, Times times) throws Exception;

  /** Executes an operation. A failure that the client sees is an outcome too. */
  Outcome apply(Line line) throws Exception;

  /** Makes operations possible again after one that does not end. */
  default void recover() throws Exception {}

  /** Ends a run: closes its scanners and drops its tables and snapshots. */
  void end() throws Exception;

  /** Checks resources after all runs; returns the failed checks. */
  default List<String> leaks() throws Exception {
    return List.of();
  }

  @Override
  default void close() throws Exception {}
}
