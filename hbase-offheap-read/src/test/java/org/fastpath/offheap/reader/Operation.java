package org.fastpath.offheap.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** An operation on a scanner. */
enum Operation {
  SEEK_TO_FIRST(1, false),
  SEEK_TO(14, true),
  RESEEK_TO(18, true),
  SEEK_BEFORE(8, true),
  NEXT(44, false),
  KEY(3, false),
  VALUE(3, false),
  /** Rare, because it is slow for long keys. */
  STRINGS(1, false),
  NEXT_INDEXED_KEY(3, false),
  BLOCK_SIZE(2, false),
  SHIPPED(2, false),
  /** Evicts the file's blocks from the cache. */
  EVICT(1, false),
  /** Closes the scanner and opens another one. */
  REOPEN(1, false);

  private static final List<Operation> BY_WEIGHT = new ArrayList<>();

  static {
    for (Operation operation : values()) {
      for (int i = 0; i < operation.weight; i++) {
        BY_WEIGHT.add(operation);
      }
    }
  }

  private final int weight;
  private final boolean hasKey;

  Operation(int weight, boolean hasKey) {
    this.weight = weight;
    this.hasKey = hasKey;
  }

  static Operation random(SplittableRandom random) {
    return BY_WEIGHT.get(random.nextInt(BY_WEIGHT.size()));
  }

  boolean hasKey() {
    return hasKey;
  }
}
