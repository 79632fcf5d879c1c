package org.fastpath.zcr.warmup;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Answers multi-gets and scans of regions like a RegionServer, whose own service does not answer
 * before it reports for duty. Cells are sent as a cell block. After that, scanners are closed,
 * which releases blocks. Thread-safe.
 */
final class WarmUpReads {
  private final Map<ByteString, HRegion> regions = new HashMap<>();

  private WarmUpReads(List<WarmUpRegion> regions) {
    regions.forEach(
        region ->
            this.regions.put(UnsafeByteOperations.unsafeWrap(region.name()), region.region()));
  }

  /** Returns the service. */
  static ClientService.BlockingInterface of(List<WarmUpRegion> regions) {
    WarmUpReads reads = new WarmUpReads(regions);
    return (ClientService.BlockingInterface)
        Proxy.newProxyInstance(
            WarmUpReads.class.getClassLoader(),
            new Class<?>[] {ClientService.BlockingInterface.class},
            (proxy, method, arguments) -> reads.answer(method, arguments));
  }

  private Object answer(Method method, Object... arguments) throws ServiceException {
    HBaseRpcController controller = (HBaseRpcController) arguments[0];
    try {
      return switch (method.getName()) {
        case "multi" -> multi(controller, (MultiRequest) arguments[1]);
        case "scan" -> scan(controller, (ScanRequest) arguments[1]);
        default -> throw new UnsupportedOperationException(method.getName());
      };
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private MultiResponse multi(HBaseRpcController controller, MultiRequest request)
      throws IOException {
    List<RegionScanner> scanners = new ArrayList<>();
    closeAfterwards(scanners);
    List<Cell> cells = new ArrayList<>();
    MultiResponse.Builder response = MultiResponse.newBuilder();
    for (RegionAction regionAction : request.getRegionActionList()) {
      HRegion region = regions.get(regionAction.getRegion().getValue());
      RegionActionResult.Builder results = RegionActionResult.newBuilder();
      for (Action action : regionAction.getActionList()) {
        List<Cell> row = new ArrayList<>();
        RegionScanner scanner = region.getScanner(new Scan(ProtobufUtil.toGet(action.getGet())));
        scanners.add(scanner);
        scanner.next(row);
        cells.addAll(row);
        results.addResultOrException(
            ResultOrException.newBuilder()
                .setIndex(action.getIndex())
                .setResult(ProtobufUtil.toResultNoData(Result.create(row))));
      }
      response.addRegionActionResult(results);
    }
    controller.setCellScanner(CellUtil.createCellScanner(cells));
    return response.build();
  }

  private ScanResponse scan(HBaseRpcController controller, ScanRequest request) throws IOException {
    List<RegionScanner> scanners = new ArrayList<>();
    closeAfterwards(scanners);
    HRegion region = regions.get(request.getRegion().getValue());
    RegionScanner scanner = region.getScanner(ProtobufUtil.toScan(request.getScan()));
    scanners.add(scanner);
    List<Cell> cells = new ArrayList<>();
    ScanResponse.Builder response = ScanResponse.newBuilder();
    boolean more = true;
    for (int rows = 0; more && rows < request.getNumberOfRows(); rows++) {
      List<Cell> row = new ArrayList<>();
      more = scanner.nextRaw(row);
      cells.addAll(row);
      response.addCellsPerResult(row.size());
    }
    controller.setCellScanner(CellUtil.createCellScanner(cells));
    return response.setMoreResults(more).build();
  }

  private static void closeAfterwards(List<RegionScanner> scanners) {
    RpcCallContext call = RpcServer.getCurrentCall().orElseThrow();
    call.setCallBack(
        () -> {
          for (RegionScanner scanner : scanners) {
            scanner.close();
          }
        });
  }
}
