package org.fastpath.bench.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollapsedStacksTest {
  private static final String WRITER =
      "java/lang/Thread.run;org/apache/hadoop/hbase/io/hfile/HFileBlock$Writer.writeHeaderAndData;";

  @Test
  void shareOfAllSamples() throws IOException {
    CollapsedStacks stacks =
        CollapsedStacks.of(
            List.of(
                WRITER + "org/apache/hadoop/hbase/io/hfile/ChecksumUtil.generateChecksums;x 30",
                "[unknown] 50",
                "java/lang/Thread.run;org/apache/hadoop/hbase/KeyValue.getRowLength 20"));

    assertThat(stacks.total()).isEqualTo(100);
    assertThat(stacks.checksums()).isEqualTo(30);
    assertThat(stacks.checksumPercent()).isEqualTo(30, within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java/util/zip/CRC32C.update",
        "java/util/zip/CRC32.updateBytes0",
        "updateBytesCRC32C",
        "updateBytesCRC32",
        "org/apache/hadoop/util/NativeCrc32.nativeVerifyChunkedSums",
        "org/apache/hadoop/util/DataChecksum.calculateChunkedSums",
        "org/apache/hadoop/util/PureJavaCrc32C.update",
        "org/fastpath/checksum/JdkChunkedCrc.verify",
        "bulk_verify_crc",
        "pipelined_crc32c",
        "Java_org_apache_hadoop_util_NativeCrc32_nativeComputeChunkedSumsByteArray"
      })
  void isAChecksum(String frame) throws IOException {
    assertThat(CollapsedStacks.of(List.of(frame + " 1")).checksums()).isEqualTo(1);
    assertThat(CollapsedStacks.of(List.of(WRITER + frame + ";memcpy 3")).checksums()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java/util/zip/Deflater.deflate",
        "org/apache/hadoop/hbase/io/hfile/HFileBlock.unpack",
        "org/apache/hadoop/hdfs/DFSOutputStream.writeChunk",
        "org/apache/hadoop/util/Time.now",
        "__memmove_avx512_unaligned_erms"
      })
  void isNone(String frame) throws IOException {
    assertThat(CollapsedStacks.of(List.of(WRITER + frame + " 7")).checksums()).isZero();
  }

  @Test
  void namesWithBlanks() throws IOException {
    CollapsedStacks stacks =
        CollapsedStacks.of(List.of("JavaThread::run() [clone .part.0];updateBytesCRC32C 4"));

    assertThat(stacks.checksums()).isEqualTo(4);
  }

  @Test
  void aProfileWithoutSamplesHasNoShare() throws IOException {
    assertThat(CollapsedStacks.of(List.of()).checksumPercent()).isZero();
  }

  @Test
  void refusesWhatIsNoProfile() {
    assertThatThrownBy(() -> CollapsedStacks.of(List.of("a;b;c many")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a;b;c many");
  }
}
