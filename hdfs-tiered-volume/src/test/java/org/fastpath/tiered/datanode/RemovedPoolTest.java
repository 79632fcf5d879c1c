package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsDatasetFactory;
import org.fastpath.cluster.ForkedJvm;
import org.fastpath.cluster.UpstreamTests;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HDFS-16600 and HDFS-16804: lazy persistence, eviction and new volumes beside a block pool that is
 * removed neither stop a DataNode nor lose a byte. By night the same with HDFS's own dataset.
 */
class RemovedPoolTest {
  static Stream<Class<?>> factories() {
    return Boolean.getBoolean("nightly")
        ? Stream.of(TieredDatasetFactory.class, FsDatasetFactory.class)
        : Stream.of(TieredDatasetFactory.class);
  }

  @ParameterizedTest
  @MethodSource("factories")
  void theOtherPoolIsWrittenAndRead(Class<?> factory) throws Exception {
    ForkedJvm.Result result =
        UpstreamTests.run(
            UpstreamTests.jvm().quickStart(),
            "removed-pool-" + factory.getSimpleName(),
            RemovedPool.class,
            factory.getName());
    assertThat(result.lines(RemovedPool.DONE)).as("%s", result.end()).hasSize(1);
  }
}
