package org.fastpath.bench.workloads.tiers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.fastpath.bench.engine.cluster.RequestLoad;
import site.ycsb.Utils;

/**
 * The rows of YCSB's core workload with the story's parameters. A row has five fields of 200 bytes.
 * Keys are hashes, so inserts go to all regions. Many rows share a request, like with YCSB's {@code
 * clientbuffering}.
 */
final class YcsbRows {
  static final TableName TABLE = TableName.valueOf("usertable");
  static final byte[] FAMILY = Bytes.toBytes("family");

  private YcsbRows() {}

  /** Returns the start keys of all regions but the first. */
  static byte[][] splits(int regions) {
    return IntStream.range(1, regions)
        .mapToObj(i -> key(Long.MAX_VALUE / regions * i))
        .toArray(byte[][]::new);
  }

  /** Inserts rows, each once. */
  static RequestLoad.Request inserts(int batch) {
    AtomicLong next = new AtomicLong();
    return (table, random) -> {
      List<Put> puts = new ArrayList<>(batch);
      for (int i = 0; i < batch; i++) {
        puts.add(put(next.getAndIncrement(), random));
      }
      table.put(puts);
      return batch;
    };
  }

  static Put put(long row, SplittableRandom random) {
    Put put = new Put(key(Utils.hash(row)));
    for (int field = 0; field < 5; field++) {
      byte[] value = new byte[200];
      random.nextBytes(value);
      put.addColumn(FAMILY, Bytes.toBytes("field" + field), value);
    }
    return put;
  }

  private static byte[] key(long hash) {
    return Bytes.toBytes(String.format(Locale.ROOT, "user%019d", hash));
  }
}
