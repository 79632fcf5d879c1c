package org.fastpath.bench.jmh.reader;

import java.util.Locale;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.fastpath.offheap.reader.Scanners;

/** The reader whose scanners are measured. */
enum ReaderVariant {
  STOCK {
    @Override
    Supplier<HFileScanner> scanners(HFile.Reader reader, Configuration configuration) {
      return () -> reader.getScanner(configuration, true, true, false);
    }
  },
  OURS {
    @Override
    Supplier<HFileScanner> scanners(HFile.Reader reader, Configuration configuration) {
      Scanners scanners = new Scanners(reader, configuration);
      return () -> scanners.open(true, true, false);
    }
  };

  static ReaderVariant of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }

  /** Opens scanners like gets: through the cache, by position. */
  abstract Supplier<HFileScanner> scanners(HFile.Reader reader, Configuration configuration);
}
