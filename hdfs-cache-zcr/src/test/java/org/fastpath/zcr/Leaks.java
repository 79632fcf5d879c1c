package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitCache;

/** Checks for leaks after all our file systems are closed. */
final class Leaks {
  private Leaks() {}

  static void requireNone(TestHdfs hdfs) throws Exception {
    assertThat(Mappings.current()).isNull();
    assertThat(ZeroCopyMetrics.mappings()).isZero();
    assertThat(ZeroCopyMetrics.mappedBytes()).isZero();
    assertThat(ZeroCopyMetrics.draining()).isZero();
    assertThat(ZeroCopyMetrics.slices()).isZero();
    ShortCircuitCache cache = hdfs.stock().getClient().getClientContext().getShortCircuitCache(0);
    cache.accept(
        (mmaps, replicas, failedLoads, evictable, evictableMmapped) ->
            assertThat(replicas).isEmpty());
    assertThat(MappedFiles.now()).isEmpty();
    assertThat(MappedFiles.open()).isEmpty();
    assertThat(anchoredSlots(cache)).isZero();
  }

  /**
   * Slots that somebody holds an anchor of. The number of used slots is no evidence: Hadoop forgets
   * to free the one that it took for a replica that the DataNode then does not have.
   */
  private static int anchoredSlots(ShortCircuitCache cache) throws IOException {
    AtomicInteger anchored = new AtomicInteger();
    cache
        .getDfsClientShmManager()
        .visit(
            nodes ->
                nodes.values().stream()
                    .flatMap(node -> Stream.of(node.full, node.notFull))
                    .flatMap(segments -> segments.values().stream())
                    .forEach(
                        segment ->
                            segment
                                .slotIterator()
                                .forEachRemaining(
                                    slot -> anchored.addAndGet(slot.isAnchored() ? 1 : 0))));
    return anchored.get();
  }
}
