package org.fastpath.zcr.warmup;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * Asks a {@link WarmUpServer} for rows in the ways that clients do: multi-gets of whole rows and of
 * a column, single gets, short scans. For one thread.
 */
final class WarmUpClient {
  private static final int BATCH = 50;
  private static final int SCANNED = 100;
  private static final int KINDS = 4;

  private final ClientService.BlockingInterface server;
  private final RegionSpecifier region;
  private final Random random;
  private int requests;

  /**
   * A client.
   *
   * @param region the name of the region
   * @param seed of rows
   */
  WarmUpClient(ClientService.BlockingInterface server, byte[] region, long seed) {
    this.server = server;
    this.region = RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, region);
    random = new Random(seed);
  }

  /**
   * The next request.
   *
   * @return cells that came back
   */
  int request() throws IOException, ServiceException {
    return switch (requests++ % KINDS) {
      case 0 -> multi(BATCH, false);
      case 1 -> multi(BATCH, true);
      case 2 -> multi(1, false);
      default -> scan();
    };
  }

  private int multi(int gets, boolean column) throws IOException, ServiceException {
    RegionAction.Builder actions = RegionAction.newBuilder().setRegion(region);
    for (int index = 0; index < gets; index++) {
      Get get = new Get(WarmUpRegion.row(random.nextInt(WarmUpRegion.ROWS)));
      if (column) {
        get.addColumn(WarmUpRegion.FAMILY, WarmUpRegion.column(index));
      }
      actions.addAction(Action.newBuilder().setIndex(index).setGet(ProtobufUtil.toGet(get)));
    }
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    server.multi(controller, MultiRequest.newBuilder().addRegionAction(actions).build());
    return count(controller.cellScanner());
  }

  private int scan() throws IOException, ServiceException {
    Scan scan = new Scan().withStartRow(WarmUpRegion.row(random.nextInt(WarmUpRegion.ROWS)));
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    server.scan(
        controller,
        ScanRequest.newBuilder()
            .setRegion(region)
            .setScan(ProtobufUtil.toScan(scan))
            .setNumberOfRows(SCANNED)
            .build());
    return count(controller.cellScanner());
  }

  private static int count(CellScanner cells) throws IOException {
    int count = 0;
    while (cells != null && cells.advance()) {
      count++;
    }
    return count;
  }
}
