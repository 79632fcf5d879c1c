package org.fastpath.bench.jmh.offheap;

import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.fastpath.offheap.reader.DataBlockSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Gets a block by file and offset, like the off-heap reader, and releases it. Every get is a hit.
 * One, two and four threads read one hot block or many blocks. With {@code --before JAR}, an
 * earlier build of the jar is a variant.
 *
 * <p>{@code bin/fastpath bench DataBlockBenchmark --millis 500 --rounds 6 --cpu --before OLD.jar}
 */
public class DataBlockBenchmark extends HitBenchmark {
  @Param({"before", "ours"})
  public String cache;

  @Param({"1", "2", "4"})
  public int threads;

  private DataBlockSource source;

  @Setup
  public void setUp() {
    fill(cache);
    source = DataBlockSource.in(target);
  }

  @Benchmark
  public long dataBlock(Sequence sequence) {
    int next = sequence.advance();
    HFileBlock block = source.dataBlock(sequence.files[next], sequence.offsets[next], true, true);
    long offset = block.getOffset();
    block.release();
    return offset;
  }
}
