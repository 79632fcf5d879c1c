package org.fastpath.bench.reader;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.OffHeapHFileScanners;

/** Whose scanner reads. */
enum ReaderSide {
  STOCK {
    @Override
    HFileScanner scanner(HFile.Reader reader, Configuration configuration) {
      return reader.getScanner(configuration, true, true, false);
    }
  },
  OURS {
    @Override
    HFileScanner scanner(HFile.Reader reader, Configuration configuration) {
      return OffHeapHFileScanners.open(reader, configuration, true, true, false);
    }
  };

  static ReaderSide of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }

  /** A scanner as a get opens it: through the cache, by position. */
  abstract HFileScanner scanner(HFile.Reader reader, Configuration configuration);
}
