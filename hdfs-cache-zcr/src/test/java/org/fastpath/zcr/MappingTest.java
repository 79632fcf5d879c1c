package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.junit.jupiter.api.Test;

/** The life of a mapping without HDFS: it ends once, and not while somebody reads. */
class MappingTest {
  private static final int ROUNDS = 20_000;

  private final List<String> events = new ArrayList<>();
  private final FakeReplica replica = new FakeReplica(true, 8);
  private final Mapping mapping = mapping(replica, new Events());
  private boolean poisons;

  private final class Events implements Mapping.Owner {
    @Override
    public void retired(Mapping mapping, Retirement why, boolean held) {
      events.add(why + (held ? " while held" : ""));
    }

    @Override
    public void unused(Mapping mapping, boolean held) {
      mapping.unmap();
      events.add("unmapped" + (held ? " by its last reader" : ""));
    }

    @Override
    public boolean poisons() {
      return poisons;
    }
  }

  /** Counts only. */
  private static final class Ends implements Mapping.Owner {
    final AtomicInteger retired = new AtomicInteger();
    final AtomicInteger unmapped = new AtomicInteger();

    @Override
    public void retired(Mapping mapping, Retirement why, boolean held) {
      retired.incrementAndGet();
    }

    @Override
    public void unused(Mapping mapping, boolean held) {
      mapping.unmap();
      unmapped.incrementAndGet();
    }
  }

  private static Mapping mapping(FakeReplica replica, Mapping.Owner owner) {
    return new Mapping(new BlockVersion(new ExtendedBlockId(1, "pool"), 1), replica, 8, 0, owner);
  }

  @Test
  void endsWithItsLastReader() {
    assertThat(mapping.pin()).isTrue();
    mapping.retire(Retirement.CLOSED);
    mapping.retire(Retirement.IDLE);
    assertThat(mapping.pin()).isFalse();
    mapping.unpin();
    replica.requireMapped();
    mapping.unpin();
    assertThat(replica.unmapped).hasValue(1);
    assertThat(events).containsExactly("CLOSED while held", "unmapped by its last reader");
  }

  @Test
  void endsAtOnceIfNobodyReads() {
    assertThat(mapping.retireUnused(Retirement.IDLE)).isFalse();
    mapping.unpin();
    assertThat(mapping.retireUnused(Retirement.IDLE)).isTrue();
    assertThat(mapping.retireUnused(Retirement.IDLE)).isFalse();
    assertThat(mapping.pin()).isFalse();
    assertThat(events).containsExactly("IDLE", "unmapped");
  }

  @Test
  void refusesWhatTheDataNodeWantsBack() {
    replica.locked = false;
    assertThat(mapping.pin()).isFalse();
    replica.requireMapped();
    mapping.unpin();
    assertThat(events).containsExactly("UNCACHED while held", "unmapped by its last reader");
  }

  @Test
  void refusesWhatTheDataNodeNoLongerHas() {
    mapping.unpin();
    replica.valid = false;
    mapping.check();
    assertThat(events).containsExactly("INVALID while held", "unmapped by its last reader");
  }

  @Test
  void refusesWhatWasTruncatedOnceThatIsNoticed() {
    mapping.unpin();
    replica.fileLength = 7;
    mapping.check();
    assertThat(mapping.pin()).isFalse();
    assertThat(events).containsExactly("TRUNCATED while held", "unmapped by its last reader");
  }

  @Test
  void aClosedDescriptorIsNotATruncatedReplica() {
    mapping.unpin();
    replica.open = false;
    mapping.check();
    assertThat(mapping.pin()).isFalse();
    assertThat(events).containsExactly("REOPENED while held", "unmapped by its last reader");
  }

  @Test
  void aLateReaderOfASliceIsFound() {
    poisons = true;
    ZeroCopyMetrics.sliced(mapping, 6);
    Slice slice = new Slice(mapping, 2, 6);
    ByteBuffer kept = slice.buffer();
    assertThat(kept.get(5)).isEqualTo((byte) 42);
    assertThat(kept.isReadOnly()).isTrue();
    slice.close();
    assertThat(kept.get(0)).isEqualTo(Slice.POISON);
    assertThat(kept.get(5)).isEqualTo(Slice.POISON);
    assertThatThrownBy(slice::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("after its close");
  }

  @Test
  void asksTheKernelOnceInAWhileWhetherTheFileIsWhole() {
    replica.fileLength = 7;
    assertThat(mapping.wasWhole(999_999)).isTrue();
    assertThat(mapping.wasWhole(1_000_000)).isFalse();
    replica.fileLength = 8;
    assertThat(mapping.wasWhole(1_000_000)).isTrue();
    replica.fileLength = 7;
    assertThat(mapping.wasWhole(1_999_999)).isTrue();
    assertThat(mapping.wasWhole(2_000_000)).isFalse();
  }

  @Test
  void aSliceOfATruncatedReplicaIsTheLast() {
    ZeroCopyMetrics.sliced(mapping, 6);
    Slice slice = new Slice(mapping, 2, 6);
    byte[] copied = new byte[6];
    assertThat(slice.copy(1, copied, 0, 5)).isTrue();
    assertThat(copied).containsExactly(42, 42, 42, 42, 42, 0);
    assertThatThrownBy(() -> slice.copy(1, copied, 0, 6))
        .isInstanceOf(IndexOutOfBoundsException.class);
    replica.zeroTail();
    assertThat(slice.copy(1, copied, 0, 4)).isTrue();
    assertThat(slice.copy(1, copied, 0, 5)).isFalse();
    assertThat(mapping.pin()).isFalse();
    slice.close();
    assertThat(events).containsExactly("TRUNCATED while held", "unmapped by its last reader");
  }

  @Test
  void complainsOfAnUnpinTooMany() {
    mapping.unpin();
    assertThatThrownBy(mapping::unpin).isInstanceOf(IllegalStateException.class);
    assertThat(mapping.pins()).isZero();
    assertThat(mapping.pin()).isTrue();
  }

  /** One unpin too many never lets a reader in again, not even for a moment. */
  @Test
  void anUnpinTooManyLetsNobodyIntoARetiredMapping() throws Exception {
    AtomicInteger entered = new AtomicInteger();
    mapping.retire(Retirement.CLOSED);
    mapping.unpin();
    Thread careless =
        new Thread(
            () -> {
              for (int i = 0; i < 100 * ROUNDS; i++) {
                try {
                  mapping.unpin();
                } catch (IllegalStateException e) {
                  // As it should be.
                }
              }
            });
    careless.start();
    while (careless.isAlive()) {
      entered.addAndGet(mapping.isRetired() ? 0 : 1);
    }
    careless.join();
    assertThat(entered).hasValue(0);
    assertThat(mapping.pin()).isFalse();
    assertThat(replica.unmapped).hasValue(1);
  }

  /** Readers, a sweep, two that retire and a DataNode race for each of many mappings. */
  @Test
  void endsOnceAndNeverBeneathAReader() throws Exception {
    ConcurrentLinkedQueue<Throwable> wrong = new ConcurrentLinkedQueue<>();
    List<FakeReplica> replicas = new ArrayList<>();
    List<Mapping> mappings = new ArrayList<>();
    Ends ends = new Ends();
    for (int i = 0; i < ROUNDS; i++) {
      replicas.add(new FakeReplica(i % 2 == 0, 8));
      mappings.add(mapping(replicas.get(i), ends));
    }
    List<Race> races =
        List.of(
            (m, r) -> readOften(m, r),
            (m, r) -> readOften(m, r),
            (m, r) -> {
              m.check();
              m.unpin();
              m.retireUnused(Retirement.REPLACED);
            },
            (m, r) -> {
              r.locked = false;
              r.valid = false;
              m.check();
              m.retire(Retirement.CLOSED);
            });
    CyclicBarrier barrier = new CyclicBarrier(races.size());
    List<Thread> threads =
        races.stream()
            .map(
                race ->
                    new Thread(
                        () -> {
                          try {
                            for (int i = 0; i < ROUNDS; i++) {
                              if (i % 500 == 0) {
                                barrier.await(1, TimeUnit.MINUTES);
                              }
                              race.run(mappings.get(i), replicas.get(i));
                            }
                          } catch (Exception | Error e) {
                            wrong.add(e);
                            barrier.reset();
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong).isEmpty();
    assertThat(replicas).allMatch(replica -> replica.unmapped.get() == 1);
    assertThat(ends.retired).hasValue(ROUNDS);
    assertThat(ends.unmapped).hasValue(ROUNDS);
  }

  @FunctionalInterface
  private interface Race {
    void run(Mapping mapping, FakeReplica replica) throws Exception;
  }

  private static void readOften(Mapping mapping, FakeReplica replica) {
    for (int i = 0; i < 4; i++) {
      if (mapping.pin()) {
        replica.requireMapped();
        mapping.unpin();
      }
    }
  }
}
