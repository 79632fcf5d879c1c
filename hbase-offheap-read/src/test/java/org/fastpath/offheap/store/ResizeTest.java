package org.fastpath.offheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.fastpath.offheap.memory.CacheConfigurationException;
import org.fastpath.offheap.memory.CacheMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A cache gets another size while it is used; a change that cannot be completed is undone. */
class ResizeTest {
  private static final int BLOCK = 30_000;

  private final Regions regions = new Regions();
  private final BlockStore store = Stores.parts(memory()).store();

  private CacheMemory memory() {
    CacheMemory memory = new CacheMemory(regions, Stores.REGION);
    memory.addRegions(2L * Stores.REGION);
    return memory;
  }

  /** Direct memory whose next region may be held back, or refused. */
  private static final class Regions implements CacheMemory.Source {
    private volatile CountDownLatch arrived;
    private volatile CountDownLatch goOn;
    private volatile boolean refuse;
    private int open;

    void holdBack() {
      arrived = new CountDownLatch(1);
      goOn = new CountDownLatch(1);
    }

    @Override
    public long limit() {
      return Long.MAX_VALUE;
    }

    @Override
    public CacheMemory.Region open(int bytes) {
      if (goOn != null) {
        arrived.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      if (refuse) {
        throw new OutOfMemoryError("injected");
      }
      open++;
      ByteBuffer region = ByteBuffer.allocateDirect(bytes);
      return CacheMemory.Region.of(region, region);
    }

    @Override
    public void release(CacheMemory.Region region) {
      open--;
    }

    @Override
    public String refusal(long bytes) {
      return bytes + " bytes cannot be had";
    }

    @Override
    public void close() {}
  }

  @AfterEach
  void nothingIsLeft() {
    Stores.assertEmpties(store);
  }

  private void fill(String file, int blocks) {
    for (int i = 0; i < blocks; i++) {
      assertThat(Stores.put(store, file, i, BLOCK)).isNull();
    }
  }

  @Test
  void writersGoOnWhileMemoryIsReserved() throws Exception {
    fill("before", 40);
    regions.holdBack();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread growing = growingTo(6L * Stores.REGION, failure);
    regions.arrived.await();
    assertThat(Stores.put(store, "meanwhile", 1, BLOCK)).isNull();
    assertThat(store.evict("before", 0)).isTrue();
    assertThat(Stores.isThere(store, "meanwhile", 1)).isTrue();
    regions.goOn.countDown();
    growing.join();
    assertThat(failure.get()).isNull();
    assertThat(store.capacity()).isEqualTo(6L * Stores.REGION);
    assertThat(Stores.isThere(store, "meanwhile", 1)).isTrue();
    assertThat(Stores.isThere(store, "before", 1)).isTrue();
    fill("after", 100);
    store.validate();
    assertThat(store.blocks()).isEqualTo(140);
  }

  private Thread growingTo(long bytes, AtomicReference<Throwable> failure) {
    Thread thread =
        new Thread(
            () -> {
              try {
                store.grow(bytes, reserved -> {});
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void theIndexGrowsManyTimesAndFindsEveryBlock() throws Exception {
    for (int size = 3; size <= 24; size++) {
      for (int i = 0; i < 30; i++) {
        Stores.put(store, "file" + size, i, BLOCK);
      }
      store.grow((long) size * Stores.REGION, reserved -> {});
      store.validate();
    }
    assertThat(store.blocks()).isGreaterThan(500);
  }

  @Test
  void memoryThatCannotBeHadChangesNothing() {
    fill("before", 40);
    int open = regions.open;
    regions.refuse = true;
    assertThatThrownBy(() -> store.grow(6L * Stores.REGION, reserved -> {}))
        .isInstanceOf(CacheConfigurationException.class)
        .hasMessageContaining("cannot be had");
    assertThat(store.capacity()).isEqualTo(2L * Stores.REGION);
    assertThat(regions.open).isEqualTo(open);
    store.validate();
  }

  @Test
  void aProgressThatThrowsGivesItsRegionsBack() {
    int open = regions.open;
    assertThatThrownBy(
            () ->
                store.grow(
                    6L * Stores.REGION,
                    reserved -> {
                      if (reserved > Stores.REGION) {
                        throw new InterruptedException("injected");
                      }
                    }))
        .isInstanceOf(InterruptedException.class);
    assertThat(regions.open).isEqualTo(open);
    assertThat(store.capacity()).isEqualTo(2L * Stores.REGION);
  }

  /** A region whose blocks are read stays; after an interrupt the cache can still grow. */
  @Test
  void anInterruptedShrinkIsUndone() throws Exception {
    fill("file", 60);
    Pin held = pinInLastRegion();
    CacheResizer resizer = new CacheResizer(store, store.capacity(), TimeUnit.MINUTES.toNanos(1));
    resizer.resize(Stores.REGION);
    while (resizer.target() == 0 || store.capacity() > Stores.REGION) {
      Thread.onSpinWait();
    }
    resizer.close();
    resizer.await();
    assertThat(store.capacity()).isEqualTo(2L * Stores.REGION);
    store.grow(3L * Stores.REGION, reserved -> {});
    assertThat(store.capacity()).isEqualTo(3L * Stores.REGION);
    held.release();
  }

  @Test
  void aShrinkThatReadersPreventIsUndoneAndMayBeAskedAgain() throws Exception {
    fill("file", 60);
    Pin held = pinInLastRegion();
    CacheResizer resizer = new CacheResizer(store, store.capacity(), 0);
    resizer.resize(Stores.REGION);
    resizer.await();
    assertThat(store.capacity()).isEqualTo(2L * Stores.REGION);
    held.release();
    resizer.resize(Stores.REGION);
    resizer.await();
    assertThat(resizer.target()).isZero();
    assertThat(store.capacity()).isEqualTo(Stores.REGION);
  }

  private Pin pinInLastRegion() {
    for (long offset = 0; ; offset++) {
      Pin pin = store.pin("file", offset);
      if (CacheMemory.regionOf(pin.location()) == 1) {
        return pin;
      }
      pin.release();
    }
  }
}
