package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.fastpath.offheap.inline.InlineOptions;

/** Interprets a request of a scan like HBase. Stateless. */
final class InlineScan {
  private InlineScan() {}

  /**
   * Returns whether a request can be read inline. It asks for a limited number of rows, forwards
   * and without a filter. Its client supports partial rows and heartbeats. A new scan without a
   * limit also qualifies if it has an end.
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

  /** Returns the maximum number of rows in the answer. */
  static int rows(ScanRequest request) {
    int rows =
        request.hasNumberOfRows() ? request.getNumberOfRows() : request.getCloseScanner() ? 0 : 1;
    return request.getLimitOfRows() > 0 ? Math.min(rows, request.getLimitOfRows()) : rows;
  }

  /** Returns the scan that HBase will open on the region. */
  static Scan of(ClientProtos.Scan request, HRegion region) throws IOException {
    Scan scan = ProtobufUtil.toScan(request);
    if (!request.hasLoadColumnFamiliesOnDemand()) {
      scan.setLoadColumnFamiliesOnDemand(region.isLoadingCfsOnDemandDefault());
    }
    return scan;
  }

  /** Starts to count the thread's reads if the request asks for metrics. */
  static void count(ScanRequest request) {
    ThreadLocalServerSideScanMetrics.setScanMetricsEnabled(request.getTrackScanMetrics());
    if (request.getTrackScanMetrics()) {
      ThreadLocalServerSideScanMetrics.reset();
    }
  }
}
