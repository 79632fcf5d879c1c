package org.fastpath.bench.jmh.reader;

import java.util.Locale;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.fastpath.offheap.reader.Scanners;

/** The reader whose scanners are measured. */
enum ReaderVariant {
  STOCK,
  OURS;

  static ReaderVariant of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }

  /** Opens scanners like gets: through the cache, by position. */
  Supplier<HFileScanner> scanners(HFile.Reader reader, Configuration configuration) {
    if (this == STOCK) {
      return () -> reader.getScanner(configuration, true, true, false);
    }
    Scanners scanners = new Scanners(reader, configuration);
    return () -> scanners.open(true, true, false);
  }
}
