package org.fastpath.offheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.fastpath.offheap.index.CachedFile;
import org.fastpath.offheap.memory.CacheConfigurationException;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.memory.Memory;
import org.fastpath.offheap.policy.AdaptiveLfuPolicy;
import org.fastpath.offheap.policy.EvictionPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every collaborator of a store throws once, at each of its calls in turn. These are allocations,
 * the listener, the policy, the persistence, and the memory for a larger cache. After each the
 * structure is valid, and nothing is left behind when all blocks have gone.
 */
class FaultInjectionTest {
  private static final int BLOCK = 20_000;
  private static final int STEPS = 160;
  private static final long MAX_BYTES = 4L * Stores.REGION;

  /** The kinds of failures. */
  enum Failure {
    OUT_OF_MEMORY(() -> new OutOfMemoryError("injected")),
    RUNTIME(() -> new IllegalStateException("injected"));

    private final Supplier<Throwable> make;

    Failure(Supplier<Throwable> make) {
      this.make = make;
    }
  }

  private NthCall calls;

  /** Returns a store all of whose collaborators are counted. */
  private BlockStore store() {
    CacheMemory memory = new CacheMemory(new FailingRegions(), Stores.REGION);
    memory.addRegions(2L * Stores.REGION);
    BlockStore store =
        new BlockStore.Parts(
                new ExtentAllocator(memory, true),
                (entries, bytes, share, allocator) ->
                    new FailingPolicy(new AdaptiveLfuPolicy(entries, bytes, share, allocator)),
                Stores::blocks)
            .allocator(this::allocate)
            .persistence(new FailingPersistence())
            .store();
    store.onEviction((cachedAt, flags) -> calls.call());
    return store;
  }

  private Memory allocate(long bytes) {
    calls.call();
    // Unlike the cache's allocator it waits for the memory of earlier stores.
    return Memory.allocate(bytes);
  }

  /** Direct memory, of which a region may not be had. */
  private final class FailingRegions implements CacheMemory.Source {
    @Override
    public long limit() {
      return Long.MAX_VALUE;
    }

    @Override
    public CacheMemory.Region open(int bytes) {
      calls.call();
      ByteBuffer region = ByteBuffer.allocateDirect(bytes);
      return CacheMemory.Region.of(region, region);
    }

    @Override
    public void release(CacheMemory.Region region) {}

    @Override
    public String refusal(long bytes) {
      return "refused: " + bytes;
    }

    @Override
    public void close() {}
  }

  /** Fails before it does anything, as its contract says. */
  private final class FailingPolicy implements EvictionPolicy {
    private final EvictionPolicy policy;

    FailingPolicy(EvictionPolicy policy) {
      this.policy = policy;
    }

    @Override
    public void recordHit(int entry) {
      policy.recordHit(entry);
    }

    @Override
    public void add(int entry, boolean inMemory) {
      calls.call();
      policy.add(entry, inMemory);
    }

    @Override
    public void remove(int entry) {
      policy.remove(entry);
    }

    @Override
    public int evict(IntPredicate evictable) {
      calls.call();
      return policy.evict(evictable);
    }

    @Override
    public void resize(long bytes) {
      calls.call();
      policy.resize(bytes);
    }

    @Override
    public long metadataBytes() {
      return policy.metadataBytes();
    }

    @Override
    public long rejected() {
      return policy.rejected();
    }

    @Override
    public long evictedFromMain() {
      return policy.evictedFromMain();
    }

    @Override
    public long evictedInMemory() {
      return policy.evictedInMemory();
    }

    @Override
    public void validate() {
      policy.validate();
    }
  }

  private final class FailingPersistence implements Persistence {
    @Override
    public void named(CachedFile file) {
      calls.call();
    }

    @Override
    public void restored(CachedFile file, int slot) {
      calls.call();
    }

    @Override
    public void forgotten(CachedFile file) {
      calls.call();
    }

    @Override
    public void removed(int entry) {
      calls.call();
    }

    @Override
    public boolean outlivesProcess() {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void everyCallThatThrowsIsRolledBack(Failure failure) {
    int n = 0;
    boolean thrown = true;
    while (thrown) {
      n++;
      calls = new NthCall(failure.make);
      BlockStore store = store();
      calls.arm(n);
      scenario(store);
      thrown = calls.hasThrown();
      calls.disarm();
      assertBlocksAreRight(store);
      Stores.assertEmpties(store);
    }
    assertThat(n).isGreaterThan(150);
  }

  /** Fills, evicts, holds, grows, shrinks and deletes; goes on after a step that fails. */
  private void scenario(BlockStore store) {
    SplittableRandom random = new SplittableRandom(7);
    List<Pin> held = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      String file = "file" + random.nextInt(6);
      long offset = random.nextInt(60);
      int kind = random.nextInt(20);
      attempt(() -> step(store, file, offset, kind, held));
    }
    held.forEach(pin -> attempt(pin::release));
    attempt(store::reclaim);
  }

  private void step(BlockStore store, String file, long offset, int kind, List<Pin> held) {
    if (kind == 0) {
      grow(store);
    } else if (kind == 1) {
      shrink(store);
    } else if (kind == 2) {
      store.evict(file, 0, Long.MAX_VALUE);
    } else if (kind == 3) {
      store.evict(file, offset);
    } else if (kind < 6) {
      Pin pin = store.pin(file, offset);
      if (pin != null) {
        held.add(pin);
      }
    } else {
      Stores.put(store, file, offset, BLOCK + (int) offset * 100);
    }
  }

  private static void grow(BlockStore store) {
    try {
      if (store.capacity() < MAX_BYTES) {
        store.grow(store.capacity() + Stores.REGION, reserved -> {});
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } catch (CacheConfigurationException e) {
      assertThat(e).hasMessageContaining("refused");
    }
  }

  private static void shrink(BlockStore store) {
    if (store.retireRegion(Stores.REGION)) {
      boolean gone = false;
      try {
        store.emptyRetiredRegion();
        gone = store.freeRetiredRegion();
      } finally {
        if (!gone) {
          store.reactivateRegion();
        }
      }
    }
  }

  private static void attempt(Runnable step) {
    try {
      step.run();
    } catch (IllegalStateException | OutOfMemoryError e) {
      assertThat(e).hasMessage("injected");
    }
  }

  private static void assertBlocksAreRight(BlockStore store) {
    store.validate();
    int next = 0;
    long bytes = 0;
    for (Pin pin = store.pinFrom(0); pin != null; pin = store.pinFrom(next)) {
      next = pin.entry() + 1;
      bytes += pin.length();
      assertThat(Stores.isThere(store, pin.file().name(), pin.offset())).isTrue();
      pin.release();
    }
    assertThat(bytes).isEqualTo(store.bytes());
  }
}
