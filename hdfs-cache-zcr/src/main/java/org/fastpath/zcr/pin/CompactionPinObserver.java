package org.fastpath.zcr.pin;

import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;

/**
 * Pins the output of a compaction before it is read. Without it, {@link CachePinning} pins the
 * output some seconds later. The descriptor of a table installs it:
 *
 * <pre>{@code
 * alter 'TABLE', 'coprocessor' => '|org.fastpath.zcr.pin.CompactionPinObserver||'
 * }</pre>
 *
 * <p>It observes only the end of compactions. But HBase calls any coprocessor of a region at each
 * hook of a request, so small requests become slower. Lean scans of the off-heap reader leave out
 * such calls.
 */
public class CompactionPinObserver implements RegionCoprocessor, RegionObserver {
  private final Optional<RegionObserver> self = Optional.of(this);

  /** Called by HBase. */
  public CompactionPinObserver() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return self;
  }

  /** Pins the output, which is written and has not replaced the inputs yet. */
  @Override
  public void postCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      StoreFile resultFile,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
    RegionCoprocessorEnvironment environment = context.getEnvironment();
    if (resultFile != null) {
      PinService.of(environment.getServerName())
          .ifPresent(
              service ->
                  service.compacted(
                      environment.getRegion(), store, resultFile, request.getFiles()));
    }
  }
}
