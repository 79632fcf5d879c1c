package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hadoop's own tests of volumes pass with our policies in the DataNodes, each class in a JVM and a
 * directory of its own. Logs are in {@code target/upstream-runs}. With {@code -Dnightly=true}, as
 * in the profile of that name, all; else those that take seconds. {@code
 * docs/design/hdfs-upstream-tests.md} lists the skipped tests with their reasons.
 */
class UpstreamTestsTest {
  private static final boolean NIGHTLY = Boolean.getBoolean("nightly");
  private static final String LATENCY_AWARE = LatencyAwareVolumeChoosingPolicy.class.getName();
  private static final String PER_TYPE = PerTypeRoundRobinVolumeChoosingPolicy.class.getName();

  /**
   * A class of Hadoop's with one of our policies.
   *
   * @param tests how many it has at least
   * @param choices how often the policy is asked at least
   */
  private record Upstream(String name, String policy, String methods, int tests, int choices) {
    Upstream without(String... left) {
      String pattern = "(?!(" + String.join("|", left) + ")$).*";
      return new Upstream(name, policy, pattern, tests, choices);
    }

    Upstream by(String otherPolicy) {
      return new Upstream(name, otherPolicy, methods, tests, choices);
    }

    Upstream only(String method) {
      return new Upstream(name, policy, method, tests, choices);
    }

    @Override
    public String toString() {
      return simpleName(name) + "-" + simpleName(policy);
    }

    private static String simpleName(String name) {
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }

  /** Returns all methods of a class, with the policy that goes by latency. */
  private static Upstream all(String name, int tests, int choices) {
    return new Upstream(name, LATENCY_AWARE, ".*", tests, choices);
  }

  private static Stream<Upstream> quick() {
    return Stream.of(
        all("server.datanode.TestDataNodeHotSwapVolumes", 1, 32).only("testAddBackRemovedVolume"));
  }

  private static Stream<Upstream> slow() {
    Stream<Upstream> both =
        Stream.of(
            all("server.datanode.TestDataNodeVolumeFailure", 6, 50)
                .without(
                    "testFailedVolumeBeingRemovedFromDataNode",
                    "testDataNodeShutdownAfterNumFailedVolumeExceedsTolerated",
                    "testTolerateVolumeFailuresAfterAddingMoreVolumes",
                    "testVolumeFailure",
                    "testVolumeFailureTwo",
                    "testVolumeFailureDuringStartup",
                    "testDataNodeFailToStartWithVolumeFailure",
                    "testDNFailToStartWithDataDirNonWritable"),
            all("server.datanode.fsdataset.impl.TestFsDatasetImpl", 31, 500)
                .without("testAysncDiskServiceDeleteReplica", "testCleanShutdownOfVolume"),
            all("server.datanode.fsdataset.impl.TestLazyPersistReplicaPlacement", 7, 10),
            all("server.datanode.fsdataset.impl.TestSpaceReservation", 11, 10),
            all("server.datanode.TestDeleteBlockPool", 2, 0),
            all("TestBlockStoragePolicy", 25, 0));
    Stream<Upstream> satisfier =
        Stream.of(
            all("server.namenode.TestPersistentStoragePolicySatisfier", 9, 50),
            all("server.namenode.TestStoragePolicySatisfierWithHA", 1, 0),
            all("tools.TestStoragePolicySatisfyAdminCommands", 2, 1));
    Upstream hotSwap = all("server.datanode.TestDataNodeHotSwapVolumes", 16, 50);
    Stream<Upstream> swaps =
        Stream.of(
            hotSwap.by(PER_TYPE),
            all(hotSwap.name(), 12, 50)
                .without(
                    "testAddOneNewVolume",
                    "testAddVolumesDuringWrite",
                    "testAddVolumesToFederationNN",
                    "testReAddVolumeWithBlocks"));
    Stream<Upstream> byBoth = both.flatMap(test -> Stream.of(test, test.by(PER_TYPE)));
    return Stream.of(swaps, byBoth, satisfier).flatMap(tests -> tests);
  }

  static Stream<Upstream> tests() {
    return NIGHTLY ? slow() : quick();
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @MethodSource("tests")
  void passes(Upstream test) throws Exception {
    ForkedJvm.Result result =
        UpstreamTests.run(
            jvm(test.policy(), test.toString()),
            test.toString(),
            CountedPolicy.class,
            "org.apache.hadoop.hdfs." + test.name(),
            test.methods());
    assertThat(UpstreamTests.passed(result))
        .as("%s", result.end())
        .isGreaterThanOrEqualTo(test.tests());
    String choices = result.lines(CountedPolicy.CHOICES).get(0);
    assertThat(Integer.parseInt(choices.substring(CountedPolicy.CHOICES.length())))
        .isGreaterThanOrEqualTo(test.choices());
  }

  @ParameterizedTest
  @Execution(ExecutionMode.CONCURRENT)
  @ValueSource(
      classes = {
        LatencyAwareVolumeChoosingPolicy.class,
        PerTypeRoundRobinVolumeChoosingPolicy.class
      })
  void passesTheChecksOfRoundRobin(Class<?> policy) throws Exception {
    String[] checks = {
      "testRR",
      "testRRPolicyWithStorageTypes",
      "testRRPolicyExceptionMessage",
      "testRRWithAdditionalAvailableSpace"
    };
    String name = "checks-" + policy.getSimpleName();
    ForkedJvm.Result result =
        UpstreamTests.run(jvm(policy.getName(), name), name, UpstreamChecks.class, checks);
    assertThat(result.exitCode()).as("%s", result.end()).isZero();
    assertThat(result.lines("Passed: ")).hasSize(checks.length);
  }

  private static ForkedJvm jvm(String policy, String name) throws Exception {
    // Some tests make a URI of it.
    Path data = Path.of("target", "upstream-data", name).toAbsolutePath();
    return UpstreamTests.jvm()
        .flag("-Dtest.build.data=" + data)
        .withLibhadoop()
        .quickStart()
        .flag("-D" + CountedPolicy.POLICY + "=" + policy);
  }
}
