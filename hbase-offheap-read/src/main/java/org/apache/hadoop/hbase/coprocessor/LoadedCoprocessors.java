package org.apache.hadoop.hbase.coprocessor;

import java.util.List;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.CoprocessorEnvironment;

/** Reads the coprocessors of a host. The class is in this package because the list is protected. */
public final class LoadedCoprocessors {
  private LoadedCoprocessors() {}

  /** Returns the environments in the order in which the host calls them. */
  public static <C extends Coprocessor, E extends CoprocessorEnvironment<C>> List<E> of(
      CoprocessorHost<C, E> host) {
    return host.coprocEnvironments.get();
  }
}
