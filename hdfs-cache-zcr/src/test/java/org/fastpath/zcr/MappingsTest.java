package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The registry without HDFS: limits, replacement, idleness, and who gets which mapping. */
class MappingsTest {
  private static final int BYTES = 10;
  private static final long IDLE_MILLIS = 1000;
  private static final long PATIENCE_MILLIS = 60_000;
  private static final int ROUNDS = 20_000;
  private static final int SPINS = 20;

  private static final ZeroCopyOptions OPTIONS =
      new ZeroCopyOptions(true, false, 3, 100, IDLE_MILLIS, 0, false);

  private final Mappings mappings = new Mappings(OPTIONS);
  private final List<FakeReplica> replicas = new ArrayList<>();

  @AfterEach
  void allIsGivenBack() {
    mappings.all().forEach(mapping -> release(mapping));
    mappings.close();
    assertThat(replicas).allMatch(replica -> replica.unmapped.get() == replica.mapped.get());
    assertThat(replicas).allMatch(replica -> replica.closed.get() == 1);
    assertThat(mappings.reservedMappings()).isZero();
    assertThat(mappings.reservedBytes()).isZero();
  }

  private static void release(Mapping mapping) {
    while (mapping.pins() > 0) {
      mapping.unpin();
    }
  }

  private static BlockVersion block(int number) {
    return new BlockVersion(new ExtendedBlockId(number, "pool"), 1);
  }

  /** Maps a block; the pin is the caller's. */
  private Mapping map(int number, boolean anchored, int bytes) throws Exception {
    return mappings.map(
        block(number),
        bytes,
        () -> {
          FakeReplica replica = new FakeReplica(anchored, bytes);
          replicas.add(replica);
          return replica;
        });
  }

  @Test
  void replacesWhatWasNotInUseForTheLongestTime() throws Exception {
    for (int i = 0; i < 3; i++) {
      map(i, true, BYTES).unpin();
    }
    mappings.sweep(System.nanoTime());
    mappings.pin(block(0), true, BYTES).unpin();
    mappings.pin(block(2), true, BYTES).unpin();
    map(3, true, BYTES).unpin();
    assertThat(mappings.all()).extracting(Mapping::block).doesNotContain(block(1)).hasSize(3);
  }

  @Test
  void refusesWhenAllAreHeld() throws Exception {
    for (int i = 0; i < 3; i++) {
      map(i, true, BYTES);
    }
    FakeReplica refused = new FakeReplica(true, BYTES);
    assertThatThrownBy(() -> mappings.map(block(3), BYTES, () -> refused))
        .isSameAs(Fallback.LIMIT.exception());
    assertThat(refused.closed).hasValue(1);
  }

  @Test
  void replacesNothingThatIsHeld() throws Exception {
    Mapping held = map(0, true, BYTES);
    map(1, true, BYTES).unpin();
    map(2, true, BYTES).unpin();
    map(3, true, BYTES).unpin();
    assertThat(held.isRetired()).isFalse();
    assertThat(mappings.all())
        .extracting(Mapping::block)
        .containsExactlyInAnyOrder(block(0), block(2), block(3));
  }

  /** A reader that pins a chosen victim keeps it. */
  @Test
  void retiresNothingForAnotherWhileItIsRead() throws Exception {
    Mappings one = new Mappings(new ZeroCopyOptions(true, false, 1, 100, IDLE_MILLIS, 0, false));
    AtomicBoolean done = new AtomicBoolean();
    AtomicLong reads = new AtomicLong();
    AtomicLong retired = new AtomicLong();
    Thread reader =
        new Thread(
            () -> {
              while (!done.get()) {
                for (Mapping mapping : one.all()) {
                  if (mapping.pin()) {
                    for (int i = 0; i < SPINS; i++) {
                      Thread.onSpinWait();
                    }
                    retired.addAndGet(mapping.isRetired() ? 1 : 0);
                    reads.incrementAndGet();
                    mapping.unpin();
                  }
                }
              }
            });
    reader.start();
    try {
      for (int i = 0; i < ROUNDS || reads.get() < ROUNDS; i++) {
        one.sweep(System.nanoTime());
        mapIfThereIsRoom(one, i);
      }
    } finally {
      done.set(true);
      reader.join();
      one.close();
    }
    assertThat(retired).hasValue(0);
  }

  private static void mapIfThereIsRoom(Mappings mappings, int number) throws Exception {
    try {
      mappings.map(block(number), BYTES, () -> new FakeReplica(true, BYTES)).unpin();
    } catch (NotMappedException e) {
      assertThat(e.why()).isEqualTo(Fallback.LIMIT);
    }
  }

  @Test
  void replacesNothingForABlockThatIsNotMapped() throws Exception {
    for (int i = 0; i < 3; i++) {
      map(i, true, BYTES).unpin();
    }
    assertThatThrownBy(
            () ->
                mappings.map(
                    block(3),
                    BYTES,
                    () -> {
                      throw Fallback.UNCACHED.exception();
                    }))
        .isSameAs(Fallback.UNCACHED.exception());
    assertThat(mappings.all()).hasSize(3);
  }

  @Test
  void fillsItsLimitToTheLastByte() throws Exception {
    map(0, true, 90).unpin();
    map(1, true, BYTES).unpin();
    assertThat(mappings.all()).hasSize(2);
    assertThat(mappings.reservedBytes()).isEqualTo(100);
    map(2, true, 1).unpin();
    assertThat(mappings.all()).hasSize(2);
    map(3, true, 100).unpin();
    assertThat(mappings.all()).extracting(Mapping::block).containsExactly(block(3));
  }

  @Test
  void countsRetiredOnesUntilTheyEnd() throws Exception {
    Mapping held = map(0, true, 95);
    held.retire(Retirement.UNCACHED);
    assertThatThrownBy(() -> map(1, true, BYTES)).isSameAs(Fallback.LIMIT.exception());
    held.unpin();
    map(1, true, BYTES).unpin();
  }

  @Test
  void refusesABlockLargerThanTheLimitWithoutReplacing() throws Exception {
    map(0, true, BYTES).unpin();
    assertThatThrownBy(() -> map(1, true, 101)).isSameAs(Fallback.LIMIT.exception());
    assertThat(mappings.all()).hasSize(1);
  }

  @Test
  void rationsReplacement() throws Exception {
    int mapped = 0;
    try {
      while (mapped < 1000) {
        map(mapped, true, BYTES).unpin();
        mapped++;
      }
    } catch (NotMappedException e) {
      assertThat(e.why()).isEqualTo(Fallback.LIMIT);
    }
    assertThat(mapped).isEqualTo(103);
    assertThat(replicas).hasSize(103);
    mappings.sweep(System.nanoTime());
    map(mapped, true, BYTES).unpin();
  }

  @Test
  void unmapsWhatIsIdleAndNotHeld() throws Exception {
    long now = System.nanoTime();
    Mapping held = map(0, true, BYTES);
    map(1, true, BYTES).unpin();
    mappings.sweep(now);
    mappings.sweep(now + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS));
    assertThat(mappings.all()).hasSize(2);
    mappings.sweep(now + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS) + 1);
    assertThat(mappings.all()).containsExactly(held);
  }

  /** As if it were pinned between the look at it and its retirement. */
  @Test
  void unmapsNothingThatIsHeldHoweverIdleItSeems() throws Exception {
    Mappings hasty = new Mappings(new ZeroCopyOptions(true, false, 3, 100, -1, 0, false));
    FakeReplica replica = new FakeReplica(true, BYTES);
    Mapping held = hasty.map(block(0), BYTES, () -> replica);
    hasty.sweep(System.nanoTime());
    assertThat(held.isRetired()).isFalse();
    held.unpin();
    hasty.sweep(System.nanoTime());
    assertThat(replica.unmapped).hasValue(1);
  }

  @Test
  void isInUseForAsLongAsItIsHeld() throws Exception {
    long now = System.nanoTime();
    long idle = TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
    Mapping held = map(0, true, BYTES);
    mappings.sweep(now);
    mappings.sweep(now + idle);
    held.unpin();
    mappings.sweep(now + 2 * idle);
    assertThat(mappings.all()).containsExactly(held);
    mappings.sweep(now + 2 * idle + 1);
    assertThat(mappings.all()).isEmpty();
  }

  @Test
  void sweepsOutWhatTheDataNodeWantsBack() throws Exception {
    map(0, true, BYTES).unpin();
    replicas.get(0).locked = false;
    mappings.sweep(System.nanoTime());
    assertThat(mappings.all()).isEmpty();
  }

  @Test
  void aVerifiedMappingServesAllAndReplacesAnother() throws Exception {
    Mapping plain = map(0, false, BYTES);
    assertThat(mappings.pin(block(0), true, BYTES)).isNull();
    Mapping anchored = map(0, true, BYTES);
    assertThat(plain.isRetired()).isTrue();
    assertThat(mappings.pin(block(0), false, BYTES)).isSameAs(anchored);
    assertThat(map(0, false, BYTES)).isSameAs(anchored);
    plain.unpin();
  }

  @Test
  void aLongerBlockGetsAMappingOfItsOwn() throws Exception {
    map(0, true, BYTES).unpin();
    assertThat(mappings.pin(block(0), true, BYTES + 1)).isNull();
    assertThat(map(0, true, BYTES + 1).length()).isEqualTo(BYTES + 1);
    assertThat(mappings.all()).hasSize(1);
  }

  @Test
  void aNewerGenerationIsMappedAnewFromAnotherReplica() throws Exception {
    map(0, true, BYTES).unpin();
    BlockVersion newer = new BlockVersion(block(0).id(), 2);
    assertThat(mappings.pin(newer, true, BYTES)).isNull();
    FakeReplica replica = new FakeReplica(true, BYTES);
    replicas.add(replica);
    Mapping mapping = mappings.map(newer, BYTES, () -> replica);
    assertThat(replicas.get(0).invalidated).hasValue(1);
    assertThat(replicas.get(0).unmapped).hasValue(1);
    assertThat(mappings.pin(newer, true, BYTES)).isSameAs(mapping);
    assertThat(mappings.pin(block(0), true, BYTES)).isNull();
    assertThatThrownBy(() -> map(0, true, BYTES)).isSameAs(Fallback.UNMAPPABLE.exception());
    assertThat(mapping.isRetired()).isFalse();
  }

  @Test
  void anUnusedMappingStaysForItsGrace() throws Exception {
    long grace = TimeUnit.MINUTES.toNanos(1);
    Mappings patient = new Mappings(new ZeroCopyOptions(true, false, 8, 100, 1000, 60_000, false));
    List<FakeReplica> late = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      FakeReplica replica = new FakeReplica(true, BYTES);
      late.add(replica);
      Mapping mapping = patient.map(block(i), BYTES, () -> replica);
      mapping.retire(Retirement.REPLACED);
      late.forEach(FakeReplica::requireMapped);
      mapping.unpin();
      assertThat(patient.reservedMappings()).isZero();
    }
    // Eight may be mapped, so two may wait, and the first one has made room.
    assertThat(late).extracting(replica -> replica.unmapped.get()).containsExactly(1, 0, 0);
    patient.sweep(System.nanoTime());
    assertThat(late).extracting(replica -> replica.unmapped.get()).containsExactly(1, 0, 0);
    patient.sweep(System.nanoTime() + grace);
    assertThat(late).extracting(replica -> replica.unmapped.get()).containsExactly(1, 1, 1);
    patient.close();
  }

  @Test
  void givesRoomBackWhenMappingFails() {
    FakeReplica unmappable = new FakeReplica(true, BYTES);
    unmappable.mappable = false;
    assertThatThrownBy(() -> mappings.map(block(0), BYTES, () -> unmappable))
        .isSameAs(Fallback.UNMAPPABLE.exception());
    assertThat(unmappable.closed).hasValue(1);
    assertThatThrownBy(
            () ->
                mappings.map(
                    block(0),
                    BYTES,
                    () -> {
                      throw new IOException("expired");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(mappings.reservedMappings()).isZero();
  }

  @Test
  void endWithTheLastFileSystem() throws Exception {
    Set<Thread> others = sweepers();
    Mappings shared = Mappings.join(OPTIONS);
    Set<Thread> sweepers = sweepers();
    sweepers.removeAll(others);
    assertThat(sweepers).hasSize(1);
    assertThat(Mappings.join(OPTIONS)).isSameAs(shared);
    FakeReplica replica = new FakeReplica(true, BYTES);
    Mapping mapping = shared.map(block(0), BYTES, () -> replica);
    mapping.unpin();
    shared.leave();
    assertThat(Mappings.current()).isSameAs(shared);
    assertThat(mapping.isRetired()).isFalse();
    shared.leave();
    assertThat(Mappings.current()).isNull();
    assertThat(mapping.isRetired()).isTrue();
    for (Thread sweeper : sweepers) {
      sweeper.join(PATIENCE_MILLIS);
      assertThat(sweeper.isAlive()).isFalse();
    }
  }

  private static Set<Thread> sweepers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("zero-copy-mappings"))
        .collect(Collectors.toSet());
  }

  @Test
  void mapsNothingForLongOnceClosed() throws Exception {
    mappings.close();
    Mapping late = map(0, true, BYTES);
    assertThat(late.isRetired()).isTrue();
    late.unpin();
  }
}
