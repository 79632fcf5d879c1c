package org.fastpath.offheap.reader;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each table whose files HBase's own reader serves although the off-heap reader is on. A
 * table is logged once in the life of a server, with the reason; each scanner counts in the metric
 * {@code stockScannerCount}. Safe from any thread.
 */
final class StockTables {
  private static final Logger LOG = LoggerFactory.getLogger(StockTables.class);

  /** A server with more such tables logs the first ones only. */
  private static final int MAX_TABLES = 1000;

  /** From a store file to the directory of its table: family, region, table. */
  private static final int TABLE_DEPTH = 3;

  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  private StockTables() {}

  /** Counts a scanner of HBase's and logs its table if it is the first of that table. */
  static void scanner(Path file, DataBlockEncoding encoding) {
    ReaderMetrics.stockScanner();
    String table = table(file);
    if (LOGGED.size() < MAX_TABLES && LOGGED.add(table)) {
      LOG.info(
          "HBase's reader serves table {}: {}. Its other scanners count in stockScannerCount",
          table,
          reason(encoding));
    }
  }

  private static String reason(DataBlockEncoding encoding) {
    return switch (encoding) {
      case PREFIX, DIFF, FAST_DIFF ->
          "the off-heap reader does not read tags that are compressed (COMPRESS_TAGS) in blocks with"
              + " DATA_BLOCK_ENCODING "
              + encoding;
      default -> "the off-heap reader does not read DATA_BLOCK_ENCODING " + encoding;
    };
  }

  /**
   * Returns the name by the file's place, or the file's path if it is not in a table's directory.
   */
  private static String table(Path file) {
    Path directory = file;
    for (int i = 0; i < TABLE_DEPTH && directory != null; i++) {
      directory = directory.getParent();
    }
    if (directory == null || directory.getParent() == null) {
      return file.toString();
    }
    String namespace = directory.getParent().getName();
    return namespace.isEmpty() || namespace.equals(NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR)
        ? directory.getName()
        : namespace + TableName.NAMESPACE_DELIM + directory.getName();
  }
}
