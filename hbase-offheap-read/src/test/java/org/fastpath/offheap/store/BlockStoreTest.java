package org.fastpath.offheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.memory.MemoryAllocator;
import org.fastpath.offheap.policy.AdaptiveLfuPolicy;
import org.junit.jupiter.api.Test;

/** Pins, reservations and failures of a store, a call at a time. */
class BlockStoreTest {
  private static final int BLOCK = 10_000;

  private static CacheMemory memory() {
    return CacheMemory.direct(2L * Stores.REGION, Stores.REGION);
  }

  private final BlockStore store = Stores.parts(memory()).store();

  @Test
  void aReservationThatIsNotPublishedLeavesNothing() {
    try (Reservation place = store.reserve("file", 0, BLOCK, BLOCK, (byte) 0, true, false)) {
      assertThat(place.refusal()).isNull();
      assertThat(store.pin("file", 0)).isNull();
      assertThat(Stores.put(store, "file", 0, BLOCK)).isEqualTo(RejectReason.PRESENT);
    }
    assertThat(store.blocks()).isZero();
    assertThat(Stores.put(store, "file", 0, BLOCK)).isNull();
    Stores.assertEmpties(store);
  }

  @Test
  void aListenerThatThrowsCostsTheCallAndNoMemory() {
    store.onEviction(
        (cachedAt, flags) -> {
          throw new IllegalStateException("injected");
        });
    int failures = 0;
    for (int i = 0; i < 400; i++) {
      try {
        Stores.put(store, "file", i, BLOCK);
      } catch (IllegalStateException e) {
        failures++;
      }
    }
    assertThat(failures).isPositive();
    store.validate();
    store.onEviction((cachedAt, flags) -> {});
    assertThat(Stores.put(store, "other", 0, BLOCK)).isNull();
    Stores.assertEmpties(store);
  }

  /** The victim leaves for its record here, so the new block has its memory already. */
  @Test
  void aListenerThatThrowsLeaksNeitherTheVictimNorTheNewBlocksMemory() {
    BlockStore small =
        new BlockStore.Parts(
                new ExtentAllocator(memory(), true), AdaptiveLfuPolicy::new, bytes -> 64)
            .store();
    for (int i = 0; i < 64; i++) {
      assertThat(Stores.put(small, "file", i, 1000)).isNull();
    }
    small.onEviction(
        (cachedAt, flags) -> {
          throw new IllegalStateException("injected");
        });
    assertThatThrownBy(() -> Stores.put(small, "file", 64, 1000))
        .isInstanceOf(IllegalStateException.class);
    assertThat(small.blocks()).isEqualTo(63);
    assertThat(small.extents.payloadBytes()).isEqualTo(63_000);
    small.onEviction((cachedAt, flags) -> {});
    for (int i = 100; i < 200; i++) {
      assertThat(Stores.put(small, "file", i, 1000)).isNull();
    }
    assertThat(small.blocks()).isEqualTo(64);
    Stores.assertEmpties(small);
  }

  /** The check for room is under the lock, so no region can be retired meanwhile. */
  @Test
  void aBlockThatFitsNoMoreTakesNothingOut() throws Exception {
    int half = Stores.REGION / 2 - 100;
    for (int i = 0; i < 4; i++) {
      assertThat(Stores.put(store, "file", i, half)).isNull();
    }
    AtomicReference<RejectReason> refusal = new AtomicReference<>();
    Thread large =
        new Thread(() -> refusal.set(Stores.put(store, "large", 0, Stores.REGION + half)));
    store.onEviction(
        (cachedAt, flags) -> {
          store.onEviction((at, with) -> {});
          large.start();
          while (large.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
          }
          store.extents.retireLastRegion();
        });
    assertThat(Stores.put(store, "file", 4, half)).isNull();
    large.join();
    assertThat(refusal.get()).isEqualTo(RejectReason.TOO_LARGE);
    assertThat(store.blocks()).isPositive();
    store.reactivateRegion();
    Stores.assertEmpties(store);
  }

  @Test
  void aMakerThatFailsLeavesNoPin() {
    Stores.put(store, "file", 0, BLOCK);
    assertThat(store.<Object>pin("file", 0, ticket -> null)).isNull();
    for (Error error : new Error[] {new OutOfMemoryError("injected"), new InternalError()}) {
      assertThatThrownBy(
              () ->
                  store.pin(
                      "file",
                      0,
                      ticket -> {
                        throw error;
                      }))
          .isSameAs(error);
    }
    assertThat(store.pinnedBytes()).isZero();
    Stores.assertEmpties(store);
  }

  @Test
  void aPinThatWasReleasedThrows() {
    Stores.put(store, "file", 0, BLOCK);
    Pin pin = store.pin("file", 0);
    Memory memory = pin.memory();
    pin.addHolder();
    assertThat(pin.release()).isFalse();
    assertThat(memory.bytes()).isEqualTo(BLOCK);
    assertThat(pin.release()).isTrue();
    assertThatThrownBy(pin::addHolder).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(pin::addHolder).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(pin::release).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(pin::memory).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(pin::buffer).isInstanceOf(IllegalStateException.class);
    assertThat(memory.bytes()).isZero();
    assumeThat(Memory.CHECKED).isTrue();
    assertThatThrownBy(() -> memory.getByte(0)).isInstanceOf(IllegalStateException.class);
    Stores.assertEmpties(store);
  }

  @Test
  void accessIsCheckedInTests() {
    assertThat(Memory.CHECKED).isTrue();
    Memory memory = Memory.allocate(100);
    memory.putLong(92, 7);
    assertThat(memory.getLong(92)).isEqualTo(7);
    assertThatThrownBy(() -> memory.getLong(93)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> memory.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> memory.view(50, 51)).isInstanceOf(IndexOutOfBoundsException.class);
    memory.free();
    assertThatThrownBy(() -> memory.getByte(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void pinnedBytesAreThoseOfBlocksThatAreHeld() {
    for (int i = 0; i < 10; i++) {
      Stores.put(store, "file", i, BLOCK);
    }
    assertThat(store.pinnedBytes()).isZero();
    Pin pin = store.pin("file", 3);
    Pin again = store.pin("file", 3);
    Pin other = store.pin("file", 9);
    assertThat(store.pinnedBytes()).isEqualTo(2 * BLOCK);
    store.evict("file", 3);
    assertThat(store.pinnedBytes()).isEqualTo(2 * BLOCK);
    pin.release();
    again.release();
    other.release();
    store.reclaim();
    assertThat(store.pinnedBytes()).isZero();
    Stores.assertEmpties(store);
  }

  @Test
  void aLookAtPinnedBytesIsBounded() {
    for (int i = 0; i < 10; i++) {
      Stores.put(store, "file", i, BLOCK);
    }
    PinnedBytes bounded = new PinnedBytes(store.entries, store.table, 4);
    Pin first = store.pin("file", 0);
    Pin last = store.pin("file", 9);
    bounded.refresh();
    bounded.refresh();
    assertThat(bounded.refresh()).isEqualTo(2 * BLOCK);
    first.release();
    last.release();
    for (int i = 0; i < 6; i++) {
      bounded.refresh();
    }
    assertThat(bounded.refresh()).isZero();
    Stores.assertEmpties(store);
  }

  @Test
  void memoryForRecordsIsAskedForAgain() {
    BlockStore other = refusedOnce(0);
    for (int i = 0; i < 20; i++) {
      assertThat(Stores.put(other, "file", i, BLOCK)).isNull();
    }
    Stores.assertEmpties(other);
  }

  @Test
  void withoutMemoryForRecordsBlocksAreRefusedForAWhile() {
    BlockStore other = refusedOnce(Long.MAX_VALUE / 2);
    for (int i = 0; i < 20; i++) {
      assertThat(Stores.put(other, "file", i, BLOCK)).isEqualTo(RejectReason.NO_ENTRY);
    }
    Stores.assertEmpties(other);
  }

  /** Memory for records cannot be had at the first time. */
  private static BlockStore refusedOnce(long retryNanos) {
    AtomicInteger rejections = new AtomicInteger(1);
    return Stores.parts(memory())
        .allocator(
            bytes -> {
              if (bytes > Stores.REGION && rejections.getAndDecrement() > 0) {
                throw new OutOfMemoryError("injected");
              }
              return MemoryAllocator.DIRECT.allocate(bytes);
            })
        .retryNanos(retryNanos)
        .store();
  }

  @Test
  void aBlockIsEvictedByItsPin() {
    Stores.put(store, "file", 0, BLOCK);
    Pin pin = store.pin("file", 0);
    assertThat(store.evict(pin)).isTrue();
    assertThat(store.evict(pin)).isFalse();
    assertThat(store.pin("file", 0)).isNull();
    Stores.check(pin, "file", 0);
    pin.release();
    Stores.assertEmpties(store);
  }
}
