package org.fastpath.tiered.datanode;

import java.lang.reflect.InvocationTargetException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;

/**
 * The checks of Hadoop's tests of round-robin and available space that apply to any policy.
 * Arguments: the names of the checks.
 */
public final class UpstreamChecks {
  private static final String CHECKS =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.TestRoundRobinVolumeChoosingPolicy";

  private static final String ADDITIONAL = "AdditionalAvailableSpace";

  private UpstreamChecks() {}

  /** Fails as the first check that fails. */
  public static void main(String[] args) throws Throwable {
    for (String check : args) {
      Configuration conf = new Configuration(false);
      conf.setInt(VolumeChoiceOptions.ADDITIONAL_BYTES, check.endsWith(ADDITIONAL) ? 100 : 0);
      try {
        Class.forName(CHECKS)
            .getMethod(check, VolumeChoosingPolicy.class)
            .invoke(null, CountedPolicy.policy(conf));
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
      System.out.println("Passed: " + check);
    }
    // Mocks of volumes have threads that are no daemons.
    System.exit(0);
  }
}
