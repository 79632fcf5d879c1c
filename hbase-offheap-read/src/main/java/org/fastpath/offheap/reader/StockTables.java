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
 * Reports each table whose files HBase's reader serves although the off-heap reader is on. A table
 * is logged once in the lifetime of a server, with the reason. Each scanner counts in the metric
 * {@code stockScannerCount}. Thread-safe.
 */
final class StockTables {
  private static final Logger LOG = LoggerFactory.getLogger(StockTables.class);

  /** The maximum number of logged tables. */
  private static final int MAX_TABLES = 1000;

  /** The levels from a store file to its table's directory: family, region, table. */
  private static final int TABLE_DEPTH = 3;

  private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

  private StockTables() {}

  /** Counts a scanner of HBase and logs its table if it is the table's first one. */
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
   * Returns the table's name from the file's path, or the path if it is not in a table's directory.
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
