package org.fastpath.cluster;

import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;

/** Comes to a RegionServer in an extra jar and shows that it was loaded there. */
public final class MarkerCoprocessor implements RegionServerCoprocessor {
  static final String MARK = "fastpath.test.marker";

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    System.setProperty(MARK, environment.getConfiguration().get(MARK, "no value"));
  }
}
