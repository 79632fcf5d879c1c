package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.fastpath.offheap.inline.InlineOptions;

/** Reads what a request of a scan asks for, as HBase does. No state. */
final class InlineScan {
  private InlineScan() {}

  /**
   * Returns whether a request is of a kind that is read inline: some rows, no filter, forwards, and
   * a client that knows partial rows and heartbeats. A new scan without a limit counts if it has an
   * end.
   */
  static boolean isShort(ScanRequest request, InlineOptions options) {
    int rows = rows(request);
    return rows > 0
        && !request.getRenew()
        && request.getClientHandlesPartials()
        && request.getClientHandlesHeartbeats()
        && (request.hasScannerId()
            ? rows <= options.maxScanCells()
            : request.hasScan() && isShort(request.getScan(), rows <= options.maxScanCells()));
  }

  private static boolean isShort(ClientProtos.Scan scan, boolean limited) {
    return !scan.hasFilter()
        && !scan.getReversed()
        && scan.getBatchSize() <= 0
        && scan.getReadType() != ClientProtos.Scan.ReadType.STREAM
        && (limited || !scan.getStopRow().isEmpty());
  }

  /** Returns the most rows of the answer. */
  static int rows(ScanRequest request) {
    int rows =
        request.hasNumberOfRows() ? request.getNumberOfRows() : request.getCloseScanner() ? 0 : 1;
    return request.getLimitOfRows() > 0 ? Math.min(rows, request.getLimitOfRows()) : rows;
  }

  /** Returns the scan that HBase will ask the region for. */
  static Scan of(ClientProtos.Scan request, HRegion region) throws IOException {
    Scan scan = ProtobufUtil.toScan(request);
    if (!request.hasLoadColumnFamiliesOnDemand()) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    return scan;
  }

  /** From here on, what the thread reads is counted if the request asks for metrics. */
  static void count(ScanRequest request) {
    ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(request.getTrackScanMetrics());
    if (request.getTrackScanMetrics()) {
      ThreadLocalServerSideScanMetrics.reset();
    }
  }
}
