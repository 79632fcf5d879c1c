package org.fastpath.zcr;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.protocol.BlockType;

/**
 * Counts the bytes read by a stream: by the stock stream and from mappings. The latter are local
 * and short-circuit, and zero-copy if nothing was copied. Counting takes no lock.
 */
final class StreamStatistics extends ReadStatistics {
  private final ReadStatistics stock;
  private final LongAdder copied = new LongAdder();
  private final LongAdder zeroCopy = new LongAdder();

  StreamStatistics(ReadStatistics stock) {
    this.stock = stock;
  }

  @Override
  public long getTotalBytesRead() {
    return stock.getTotalBytesRead() + mapped();
  }

  @Override
  public long getTotalLocalBytesRead() {
    return stock.getTotalLocalBytesRead() + mapped();
  }

  @Override
  public long getTotalShortCircuitBytesRead() {
    return stock.getTotalShortCircuitBytesRead() + mapped();
  }

  @Override
  public long getTotalZeroCopyBytesRead() {
    return stock.getTotalZeroCopyBytesRead() + zeroCopy.sum();
  }

  @Override
  public long getRemoteBytesRead() {
    return stock.getRemoteBytesRead();
  }

  private long mapped() {
    return copied.sum() + zeroCopy.sum();
  }

  @Override
  public BlockType getBlockType() {
    return stock.getBlockType();
  }

  @Override
  public long getTotalEcDecodingTimeMillis() {
    return stock.getTotalEcDecodingTimeMillis();
  }

  @Override
  public void addRemoteBytes(long bytes) {
    stock.addRemoteBytes(bytes);
  }

  @Override
  public void addLocalBytes(long bytes) {
    stock.addLocalBytes(bytes);
  }

  @Override
  public void addShortCircuitBytes(long bytes) {
    copied.add(bytes);
  }

  @Override
  public void addZeroCopyBytes(long bytes) {
    zeroCopy.add(bytes);
  }

  @Override
  public void addErasureCodingDecodingTime(long millis) {
    stock.addErasureCodingDecodingTime(millis);
  }

  /** Also called by the superclass before there is anything to clear. */
  @Override
  public void clear() {
    if (stock != null) {
      stock.clear();
      copied.reset();
      zeroCopy.reset();
    }
  }
}
