package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Describes a region's answers as text, call by call: cells with values, states, exceptions. */
final class RegionAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(RegionAnswers.class);

  private RegionAnswers() {}

  /** Returns whether an exception without a meaning of its own ended the scan. */
  static boolean hasFailed(List<String> answers) {
    return !answers.isEmpty()
        && answers.get(answers.size() - 1).equals(IOException.class.getName());
  }

  /** Returns the results of all calls of a scan without limits. */
  static List<String> scan(HRegion region, Scan scan) throws IOException {
    return scan(region, scan, ScannerContext.newBuilder().setBatchLimit(scan.getBatch()).build());
  }

  /** Returns the results of all calls of a scan with these limits. An exception ends it. */
  static List<String> scan(HRegion region, Scan scan, ScannerContext limits) throws IOException {
    List<String> answers = new ArrayList<>();
    try (RegionScanner scanner = region.getScanner(scan)) {
      boolean more;
      do {
        List<Cell> cells = new ArrayList<>();
        more = scanner.next(cells, limits);
        answers.add(cells.stream().map(RegionAnswers::text).toList() + " " + more);
        ((Shipper) scanner).shipped();
      } while (more);
    } catch (IOException | RuntimeException e) {
      if (e.getClass() == IOException.class) {
        LOG.info("A scan of {} failed", region, e);
      }
      answers.add(e.getClass().getName());
    }
    return answers;
  }

  /** Returns the cells of a row. */
  static List<String> get(HRegion region, Get get) throws IOException {
    Result result = region.get(get);
    return result.listCells() == null
        ? List.of()
        : result.listCells().stream().map(RegionAnswers::text).toList();
  }

  /** Returns all parts of a cell except its sequence id, with a hash of its value. */
  static String text(Cell cell) {
    return CellUtil.getCellKeyAsString(cell) + " " + Bytes.hashCode(CellUtil.cloneValue(cell));
  }
}
