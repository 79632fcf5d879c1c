package org.fastpath.common.guard;

import java.nio.charset.StandardCharsets;

/**
 * Sums up a sequence in 64 bits by FNV-1a.
 *
 * <p>It finds differences between releases. Nobody gains by forging one, so it need not be a
 * cryptographic digest. The providers of those take longer to load than a whole check.
 */
final class Fingerprint {
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private long sum = OFFSET;

  Fingerprint add(long value) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      next((int) (value >>> shift));
    }
    return this;
  }

  Fingerprint add(int value) {
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      next(value >>> shift);
    }
    return this;
  }

  /** Adds a text and its length, so that two texts cannot be confused with one. */
  Fingerprint add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    add(bytes.length);
    for (byte next : bytes) {
      next(next);
    }
    return this;
  }

  private void next(int value) {
    sum = (sum ^ (value & 0xff)) * PRIME;
  }

  long value() {
    return sum;
  }
}
