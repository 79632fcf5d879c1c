package org.fastpath.tiered.datanode.move;

import static org.assertj.core.api.Assertions.assertThat;

import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.Test;

/**
 * The active NameNode of a pair goes away in the middle of changes of policies, requests and moves.
 * In the end every file has its policy, every request is done, every replica is there once, and no
 * byte differs. With {@code -Dnightly=true} 20 times, else twice.
 */
class MoverHaTest {
  private static final String ROUNDS = Boolean.getBoolean("nightly") ? "20" : "2";

  private static String seed() {
    return System.getProperty("ha.seed", Long.toString(System.nanoTime()));
  }

  @Test
  void nothingIsLostInFailovers() throws Exception {
    ForkedJvm.Result result =
        UpstreamTests.run(UpstreamTests.jvm(), "MoverHa", HaMover.class, ROUNDS, seed());
    assertThat(result.exitCode()).as("%s", result.end()).isZero();
    assertThat(result.lines("all in order")).hasSize(1);
  }
}
