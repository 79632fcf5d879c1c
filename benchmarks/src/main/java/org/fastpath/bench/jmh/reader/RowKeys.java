package org.fastpath.bench.jmh.reader;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import site.ycsb.Utils;

/** Creates row keys from numbers, like common load generators. */
enum RowKeys {
  /** YCSB's keys: "user" and up to 19 digits of the number's hash. */
  YCSB,
  /** PerformanceEvaluation's keys: 26 digits. */
  PE;

  static RowKeys of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }

  String text(long number) {
    return this == YCSB ? "user" + Utils.hash(number) : String.format(Locale.ROOT, "%026d", number);
  }

  private byte[] key(long number) {
    return text(number).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the keys of a table, in the order of their bytes. */
  byte[][] present(int count) {
    byte[][] keys = new byte[count][];
    Arrays.setAll(keys, i -> key(2L * i));
    Arrays.parallelSort(keys, Arrays::compare);
    return keys;
  }

  /** Returns a key between those of such a table. */
  byte[] absent(int i) {
    return key(2L * i + 1);
  }
}
