package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.common.guard.AlteredClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The engine chooses by the key, the installed libraries and the version. Each test runs in its own
 * JVM.
 */
class ConfigurationTest {
  private static final String MEASURED =
      "(jdk|hadoop-native|hadoop-native below 2048 B, else jdk)"
          + " \\(measured GB/s: jdk [\\d.]+, hadoop-native [\\d.]+, [\\d.]+ with three chunks\\)";

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "true, jdk, CRC32=jdk CRC32C=jdk available=true",
    "true, hadoop-native, CRC32=hadoop-native CRC32C=hadoop-native available=true",
    "false, hadoop-native, CRC32=jdk CRC32C=jdk available=true",
    "false, auto, CRC32=jdk CRC32C=jdk available=true",
  })
  void theKeyChoosesAsSystemPropertyAndAsSite(boolean libhadoop, String provider, String chosen)
      throws Exception {
    ForkedJvm byProperty = jvm(libhadoop).flag("-D" + ChecksumProvider.KEY + "=" + provider);
    assertThat(run(byProperty).output()).contains(chosen);
    ForkedJvm bySite = jvm(libhadoop).inFront(site(provider));
    assertThat(run(bySite).output()).contains(chosen);
  }

  @Test
  void autoMeasuresAndSaysSoInOneLine() throws Exception {
    ForkedJvm.Result result = run(jvm(true));
    assertThat(result.lines("INFO ChecksumEngine"))
        .singleElement()
        .asString()
        .matches(
            "INFO ChecksumEngine: Checksums: CRC32 by "
                + MEASURED
                + ", CRC32C by "
                + MEASURED
                + "; "
                + "provider auto, Hadoop \\S+, libhadoop loaded");
  }

  /** The JVM itself needs a few pages when it starts; a measurement needs more. */
  @Test
  void withoutDirectMemoryForAMeasurementTheJdkComputes() throws Exception {
    ForkedJvm.Result result = run(jvm(true).flag("-XX:MaxDirectMemorySize=64k"));
    assertThat(result.output()).contains("CRC32=jdk CRC32C=jdk available=true block=true");
    assertThat(result.lines("INFO ChecksumEngine"))
        .singleElement()
        .asString()
        .contains("CRC32 by jdk (not measured: out of memory)");
  }

  @Test
  void libhadoopAskedForAndNotThereIsSaid() throws Exception {
    ForkedJvm jvm = jvm(false).flag("-D" + ChecksumProvider.KEY + "=hadoop-native");
    assertThat(run(jvm).lines("WARN ChecksumEngine"))
        .singleElement()
        .asString()
        .contains("hbase.fastpath.checksum.provider is hadoop-native but libhadoop is not loaded");
  }

  @Test
  void aWrongValueNamesKeyValueAndWhatIsAllowed() throws Exception {
    ForkedJvm.Result result = run(jvm(false).inFront(site("fast")));
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output())
        .contains(
            "hbase.fastpath.checksum.provider is 'fast' (from hbase-site.xml); "
                + "allowed are: auto, jdk, hadoop-native");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "JDK", "native", "auto,jdk"})
  void onlyTheThreeValuesAreTaken(String value) {
    assertThatThrownBy(() -> ChecksumProvider.parse(value, "a test"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + value + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.hadoop.hbase.regionserver.HRegionServer start, true",
    "some.Launcher org.apache.hadoop.hdfs.server.datanode.DataNode, true",
    "org.apache.hadoop.util.RunJar job.jar, false",
    "'', false",
  })
  void daemonsAreToldFromPrograms(String command, boolean daemon) {
    assertThat(Daemons.isDaemon(command)).isEqualTo(daemon);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void withOtherCodeOfHadoopAllStaysStock(boolean libhadoop) throws Exception {
    ForkedJvm.Result result = run(jvm(libhadoop).behindOurs(List.of(otherHadoop())));
    assertThat(result.output()).contains("CRC32=jdk CRC32C=jdk available=false block=true");
    assertThat(result.lines("WARN GuardedFeature"))
        .singleElement()
        .asString()
        .matches(
            "WARN GuardedFeature: checksum-hadoop stays off: in Hadoop \\S+,"
                + " org.apache.hadoop.util.NativeCrc32#verifyChunkedSums differs from the verified"
                + " code; to use it all the same, set dfs.fastpath.unverified to allow");
  }

  @Test
  void otherCodeOfHadoopCanBeAllowed() throws Exception {
    ForkedJvm jvm = jvm(false).behindOurs(List.of(otherHadoop()));
    ForkedJvm.Result result = run(jvm.flag("-Ddfs.fastpath.unverified=allow"));
    assertThat(result.output()).contains("available=true block=true");
    assertThat(result.lines("WARN GuardedFeature"))
        .singleElement()
        .asString()
        .contains("is on though");
  }

  @Test
  void withOtherCodeOfHBaseBlocksAreVerifiedByPlainCode() throws Exception {
    Path other =
        AlteredClass.write(
            directory, "org.apache.hadoop.hbase.io.hfile.ChecksumUtil", "validateChecksum");
    ForkedJvm.Result result =
        run(
            jvm(true)
                .flag("-D" + ChecksumProvider.KEY + "=hadoop-native")
                .behindOurs(List.of(other)));
    assertThat(result.output()).contains("available=true block=true");
    assertThat(result.lines("WARN GuardedFeature"))
        .singleElement()
        .asString()
        .contains("checksum-hbase stays off", "ChecksumUtil#validateChecksum differs");
  }

  @Test
  void withTheVerifiedCodeNothingIsWarnedOf() throws Exception {
    assertThat(run(jvm(true)).lines("WARN ")).isEmpty();
  }

  @Test
  void theVersionsNumberDoesNotMatter() throws Exception {
    Files.writeString(directory.resolve("common-version-info.properties"), "version=3.9.9\n");
    ForkedJvm.Result result = run(jvm(false).inFront(directory));
    assertThat(result.output()).contains("available=true block=true");
    assertThat(result.lines("INFO GuardedFeature: checksum-hadoop: Hadoop 3.9.9 has")).hasSize(1);
  }

  private Path otherHadoop() throws IOException {
    return AlteredClass.write(directory, "org.apache.hadoop.util.NativeCrc32", "verifyChunkedSums");
  }

  private static ForkedJvm jvm(boolean libhadoop) {
    ForkedJvm jvm = ForkedJvm.ours().flag("-Dlog4j.configuration=console-log4j.properties");
    return libhadoop ? jvm.withLibhadoop() : jvm;
  }

  private Path site(String provider) throws IOException {
    Files.writeString(
        directory.resolve("hbase-site.xml"),
        "<configuration><property><name>hbase.fastpath.checksum.provider</name><value>"
            + provider
            + "</value></property></configuration>");
    return directory;
  }

  private ForkedJvm.Result run(ForkedJvm jvm) throws IOException, InterruptedException {
    return jvm.run(directory.resolve("choice.log"), PrintChoice.class.getName());
  }
}
