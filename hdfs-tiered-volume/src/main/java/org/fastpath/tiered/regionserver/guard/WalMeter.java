package org.fastpath.tiered.regionserver.guard;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Counts the bytes appended to logs, with one addition for each append. HBase counts the same, but
 * only for its metrics, which are some seconds old. Counting is thread-safe; the other methods are
 * not.
 */
final class WalMeter implements WALActionsListener {
  private final LongAdder bytes = new LongAdder();
  private final Set<WAL> logs = Collections.newSetFromMap(new WeakHashMap<>());

  /** Adds these logs. A provider with several logs makes them as regions open. */
  void watch(Iterable<? extends WAL> present) {
    for (WAL log : present) {
      if (logs.add(log)) {
        log.registerWALActionsListener(this);
      }
    }
  }

  /** Stops counting. */
  void close() {
    logs.forEach(log -> log.unregisterWALActionsListener(this));
    logs.clear();
  }

  long bytes() {
    return bytes.sum();
  }

  @Override
  public void postAppend(long entryLength, long millis, WALKey key, WALEdit edit) {
    bytes.add(entryLength);
  }
}
