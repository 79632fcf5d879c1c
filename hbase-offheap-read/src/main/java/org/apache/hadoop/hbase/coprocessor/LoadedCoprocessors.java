package org.apache.hadoop.hbase.coprocessor;

import java.util.List;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.CoprocessorEnvironment;

/** Reads the coprocessors of a host. The class is in this package because fields are protected. */
public final class LoadedCoprocessors {
  private LoadedCoprocessors() {}

  /** Returns the environments in the order in which the host calls them. */
  public static <C extends Coprocessor, E extends CoprocessorEnvironment<C>> List<E> of(
      CoprocessorHost<C, E> host) {
    return host.coprocEnvironments.get();
  }

  /** Returns the number of the coprocessor that the host loaded last. */
  public static int sequence(CoprocessorHost<?, ?> host) {
    return host.loadSequence.get();
  }
}
