package org.fastpath.bench.jmh.reader;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Creates row keys from numbers, like common load generators. */
enum RowKeys {
  /** YCSB's keys: "user" and up to 19 digits of the number's hash. */
  YCSB {
    private static final long OFFSET_BASIS = 0xCBF29CE484222325L;
    private static final long PRIME = 1_099_511_628_211L;

    @Override
    String text(long number) {
      return "user" + Math.abs(hash(number));
    }

    /** Returns the FNV-1a hash of the number's bytes, the lowest first. */
    private static long hash(long number) {
      long hash = OFFSET_BASIS;
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        hash = (hash ^ (number >>> shift & 0xff)) * PRIME;
      }
      return hash;
    }
  },
  /** PerformanceEvaluation's keys: 26 digits. */
  PE {
    @Override
    String text(long number) {
      return String.format(Locale.ROOT, "%026d", number);
    }
  };

  static RowKeys of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }

  abstract String text(long number);

  final byte[] key(long number) {
    return text(number).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the keys of a table, in the order of their bytes. */
  final byte[][] present(int count) {
    byte[][] keys = new byte[count][];
    Arrays.setAll(keys, i -> key(2L * i));
    Arrays.parallelSort(keys, Arrays::compare);
    return keys;
  }

  /** Returns a key between those of such a table. */
  final byte[] absent(int i) {
    return key(2L * i + 1);
  }
}
