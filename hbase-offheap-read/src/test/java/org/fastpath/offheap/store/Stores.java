package org.fastpath.offheap.store;

import java.nio.ByteBuffer;
import org.fastpath.offheap.memory.CacheMemory;
import org.fastpath.offheap.memory.ExtentAllocator;
import org.fastpath.offheap.policy.AdaptiveLfuPolicy;

/** Makes stores without HBase, and puts blocks in whose bytes follow from their keys. */
final class Stores {
  static final int REGION = 1 << 20;

  private static final int MIN_BLOCKS = 64;
  private static final int AVERAGE_BLOCK = 4096;

  private Stores() {}

  /** Parts of a store over this memory, in which freed bytes are poisoned. */
  static BlockStore.Parts parts(CacheMemory memory) {
    return new BlockStore.Parts(
        new ExtentAllocator(memory, true), AdaptiveLfuPolicy::new, Stores::blocks);
  }

  static int blocks(long bytes) {
    return (int) Math.max(MIN_BLOCKS, bytes / AVERAGE_BLOCK);
  }

  static BlockStore store(int regions) {
    return parts(CacheMemory.direct((long) regions * REGION, REGION)).store();
  }

  /** Brings in a block; null if it is there now, else why not. */
  static RejectReason put(BlockStore store, String file, long offset, int length) {
    try (Reservation place = store.reserve(file, offset, length, length, (byte) 0, true, false)) {
      if (place.refusal() == null) {
        fill(place, file, offset);
        place.publish();
      }
      return place.refusal();
    }
  }

  static void fill(Reservation place, String file, long offset) {
    int at = 0;
    for (ByteBuffer part : place.buffers()) {
      while (part.hasRemaining()) {
        part.put(value(file, offset, at++));
      }
    }
  }

  private static byte value(String file, long offset, int at) {
    return (byte) (file.hashCode() * 31 + offset * 7 + at);
  }

  /** Returns whether a block is there, with its bytes. */
  static boolean isThere(BlockStore store, String file, long offset) {
    try (Pin pin = store.pin(file, offset)) {
      if (pin != null) {
        check(pin, file, offset);
      }
      return pin != null;
    }
  }

  static void check(HeldBlock block, String file, long offset) {
    int at = 0;
    for (ByteBuffer part : block.buffers()) {
      while (part.hasRemaining()) {
        byte found = part.get();
        if (found != value(file, offset, at++)) {
          throw new AssertionError(file + ", " + offset + ": byte " + (at - 1) + " is " + found);
        }
      }
    }
  }

  /** Takes everything out and finds nothing left behind. */
  static void assertEmpties(BlockStore store) {
    store.validate();
    store.close();
    store.reclaim();
    store.validate();
    if (store.blocks() != 0
        || store.bytes() != 0
        || store.heldBytes() != 0
        || store.pinnedBytes() != 0
        || store.extents.payloadBytes() != 0
        || store.entriesInUse() != 0
        || !store.files().isEmpty()) {
      throw new AssertionError(
          store.blocks() + " blocks, " + store.extents.payloadBytes() + " bytes are left");
    }
  }
}
