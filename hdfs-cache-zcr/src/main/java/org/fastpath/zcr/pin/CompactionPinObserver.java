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
 * Lets the output of a compaction be in the memory of DataNodes before it is read: beside {@link
 * CachePinning}, which alone pins it some seconds later. For the tables that need it, by their
 * descriptors:
 *
 * <pre>{@code
 * alter 'TABLE', 'coprocessor' => '|org.fastpath.zcr.pin.CompactionPinObserver||'
 * }</pre>
 *
 * <p>It observes the end of compactions alone; but HBase prepares all hooks of a request for a
 * region that has any coprocessor, so that it is not free where requests are small.
 */
public class CompactionPinObserver implements RegionCoprocessor, RegionObserver {
  private final Optional<RegionObserver> self = Optional.of(this);

  /** For HBase. */
  public CompactionPinObserver() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return self;
  }

  /** The output is written, and not yet in the place of the inputs. */
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
