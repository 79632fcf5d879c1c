package org.fastpath.offheap.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table that HBase's reader serves is logged once, with the reason. */
class StockTablesTest {
  private final List<String> lines = new ArrayList<>();
  private final AppenderSkeleton appender =
      new AppenderSkeleton() {
        @Override
        protected void append(LoggingEvent event) {
          lines.add(event.getRenderedMessage());
        }

        @Override
        public void close() {}

        @Override
        public boolean requiresLayout() {
          return false;
        }
      };

  @BeforeEach
  void listen() {
    Logger.getLogger(StockTables.class).addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    Logger.getLogger(StockTables.class).removeAppender(appender);
  }

  private static Path file(String namespace, String table, String name) {
    return new Path("/hbase/data/" + namespace + "/" + table + "/region/family/" + name);
  }

  @Test
  void eachTableIsLoggedOnceWithTheReason() {
    long before = ReaderMetrics.stockScanners();
    for (int i = 0; i < 3; i++) {
      StockTables.scanner(file("default", "logged", "f" + i), DataBlockEncoding.FAST_DIFF);
      StockTables.scanner(file("space", "logged", "f" + i), DataBlockEncoding.ROW_INDEX_V1);
    }
    assertThat(ReaderMetrics.stockScanners() - before).isEqualTo(6);
    assertThat(lines)
        .containsExactly(
            "HBase's reader serves table logged: the off-heap reader does not read tags that are"
                + " compressed (COMPRESS_TAGS) in blocks with DATA_BLOCK_ENCODING FAST_DIFF. Its"
                + " other scanners count in stockScannerCount",
            "HBase's reader serves table space:logged: the off-heap reader does not read"
                + " DATA_BLOCK_ENCODING ROW_INDEX_V1. Its other scanners count in stockScannerCount");
  }

  @Test
  void aFileOutsideATableIsNamedByItsPath() {
    StockTables.scanner(new Path("/file"), DataBlockEncoding.ROW_INDEX_V1);
    StockTables.scanner(new Path("/file"), DataBlockEncoding.ROW_INDEX_V1);
    assertThat(lines).hasSize(1).allMatch(line -> line.contains("table /file:"));
  }
}
