package org.fastpath.offheap.cache;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.HasRegionServerServices;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An observer that throws where a request asks it to. It also counts the holders of BucketCache's
 * blocks, and reads its table by the server's own connection.
 */
public final class FailingObserver implements RegionCoprocessor, RegionObserver {
  static final String HOOK = "hook";
  static final String OPEN = "open";
  static final String NEXT = "next";
  static final String GET = "get";
  static final String HELD = "held";
  static final String ROWS = "rows";
  static final byte[] FAMILY = Bytes.toBytes("f");

  private static final int CACHING = 10;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  private static void failIf(byte[] wanted, String hook) throws IOException {
    if (wanted != null && hook.equals(Bytes.toString(wanted))) {
      throw new DoNotRetryIOException("as the test wants");
    }
  }

  @Override
  public RegionScanner postScannerOpen(
      ObserverContext<RegionCoprocessorEnvironment> context, Scan scan, RegionScanner scanner)
      throws IOException {
    failIf(scan.getAttribute(HOOK), OPEN);
    return scanner;
  }

  /** This hook does not know the scan, so it fails for one of the test's tables. */
  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean more)
      throws IOException {
    if (results.stream().anyMatch(row -> Bytes.startsWith(row.getRow(), Bytes.toBytes(NEXT)))) {
      failIf(Bytes.toBytes(NEXT), NEXT);
    }
    return more;
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results)
      throws IOException {
    byte[] asked = get.getAttribute(HOOK);
    if (asked == null) {
      return;
    }
    switch (Bytes.toString(asked)) {
      case HELD -> answer(context, get, results, held(context.getEnvironment()));
      case ROWS -> answer(context, get, results, rows(context.getEnvironment()));
      default -> {}
    }
  }

  private static void answer(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Get get,
      List<Cell> results,
      int number) {
    results.add(new KeyValue(get.getRow(), FAMILY, FAMILY, Bytes.toBytes(number)));
    context.bypass();
  }

  private static int held(RegionCoprocessorEnvironment environment) {
    CombinedBlockCache cache =
        (CombinedBlockCache)
            ((HasRegionServerServices) environment)
                .getRegionServerServices()
                .getBlockCache()
                .orElseThrow();
    int held = 0;
    for (CachedBlock block : cache.getBlockCaches()[1]) {
      held += cache.getRpcRefCount(new BlockCacheKey(block.getFilename(), block.getOffset()));
    }
    return held;
  }

  private static int rows(RegionCoprocessorEnvironment environment) throws IOException {
    int rows = 0;
    try (Table table =
            environment.getConnection().getTable(environment.getRegionInfo().getTable());
        ResultScanner scanner =
            table.getScanner(new Scan().setCaching(CACHING).withStopRow(Bytes.toBytes(NEXT)))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows++;
      }
    }
    return rows;
  }

  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results)
      throws IOException {
    failIf(get.getAttribute(HOOK), GET);
  }
}
