package org.fastpath.zcr.warmup;

import static org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
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
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * Requests rows from a {@link WarmUpServer} like clients do. It uses multi-gets of whole rows and
 * of a column, of existing and missing rows. It also uses single gets, forward scans, scans with a
 * filter, and reverse scans for one row as on the meta table. Not thread-safe.
 *
 * <p>Variety matters: compilers omit a branch that was never taken, and its first use deoptimizes
 * the code.
 */
final class WarmUpClient {
  private static final int BATCH = 50;
  private static final int SCANNED = 100;
  private static final int KINDS = 7;
  private static final byte[] ABSENT = {1};

  /** One of so many requests is for the last region. */
  private static final int SHARE = 5;

  private final ClientService.BlockingInterface server;
  private final List<RegionSpecifier> regions;
  private final Random random;
  private int requests;

  /**
   * Makes a client.
   *
   * @param regions the first of them gets most requests
   * @param seed of rows
   */
  WarmUpClient(ClientService.BlockingInterface server, List<WarmUpRegion> regions, long seed) {
    this.server = server;
    this.regions =
        regions.stream()
            .map(WarmUpRegion::name)
            .map(name -> RequestConverter.buildRegionSpecifier(REGION_NAME, name))
            .toList();
    random = new Random(seed);
  }

  /**
   * Sends the next request.
   *
   * @return number of returned cells
   */
  int request() throws IOException, ServiceException {
    int kind = requests % KINDS;
    RegionSpecifier region = regions.get(requests / KINDS % SHARE == 0 ? regions.size() - 1 : 0);
    requests++;
    return switch (kind) {
      case 0 -> multi(region, BATCH, Rows.WHOLE);
      case 1 -> multi(region, BATCH, Rows.COLUMN);
      case 2 -> multi(region, 1, Rows.WHOLE);
      case 3 -> multi(region, BATCH, Rows.HALF_ABSENT);
      case 4 -> scan(region, new Scan(), SCANNED);
      case 5 -> scan(region, new Scan().setFilter(new FirstKeyOnlyFilter()), SCANNED);
      default -> scan(region, new Scan().setReversed(true), 1);
    };
  }

  /** The kind of rows in a multi-get. */
  private enum Rows {
    WHOLE,
    COLUMN,
    HALF_ABSENT
  }

  private int multi(RegionSpecifier region, int gets, Rows rows)
      throws IOException, ServiceException {
    RegionAction.Builder actions = RegionAction.newBuilder().setRegion(region);
    for (int index = 0; index < gets; index++) {
      byte[] row = WarmUpRegion.row(random.nextInt(WarmUpRegion.ROWS));
      boolean absent = rows == Rows.HALF_ABSENT && index % 2 == 1;
      Get get = new Get(absent ? Bytes.add(row, ABSENT) : row);
      if (rows == Rows.COLUMN) {
        get.addColumn(WarmUpRegion.FAMILY, WarmUpRegion.column(index));
      }
      actions.addAction(Action.newBuilder().setIndex(index).setGet(ProtobufUtil.toGet(get)));
    }
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    server.multi(controller, MultiRequest.newBuilder().addRegionAction(actions).build());
    return count(controller.cellScanner());
  }

  private int scan(RegionSpecifier region, Scan scan, int rows)
      throws IOException, ServiceException {
    scan.withStartRow(WarmUpRegion.row(random.nextInt(WarmUpRegion.ROWS)));
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    server.scan(
        controller,
        ScanRequest.newBuilder()
            .setRegion(region)
            .setScan(ProtobufUtil.toScan(scan))
            .setNumberOfRows(rows)
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
