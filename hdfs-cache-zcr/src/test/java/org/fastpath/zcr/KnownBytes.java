package org.fastpath.zcr;

import java.nio.ByteBuffer;

/** The bytes of a test's file: each follows from the file's seed and its place, so any is known. */
record KnownBytes(long seed, int length) {
  byte at(long position) {
    long mixed = (seed + position) * 0x9E3779B97F4A7C15L;
    return (byte) (mixed ^ mixed >>> 29 ^ mixed >>> 47);
  }

  byte[] all() {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = at(i);
    }
    return bytes;
  }

  /** Fails unless these are the bytes from a position on. */
  void require(long position, ByteBuffer read) {
    for (int i = read.position(); i < read.limit(); i++) {
      long place = position + i - read.position();
      if (read.get(i) != at(place)) {
        throw new AssertionError("wrong byte at " + place + " of " + this + ", read " + read);
      }
    }
  }

  void require(long position, byte[] read, int offset, int count) {
    require(position, ByteBuffer.wrap(read, offset, count));
  }
}
