package org.fastpath.bench.workload;

import java.util.List;

/**
 * What a RegionServer gets of the machine's memory, in megabytes.
 *
 * @param heap all of it from the start on
 * @param cache for blocks off the heap
 */
record ServerMemory(int heap, int cache) {
  /** For what a RegionServer keeps off the heap besides: buffers of its RPC server and of HDFS. */
  private static final int OTHER_DIRECT = 512;

  /** Flags of its JVM. */
  List<String> flags() {
    return List.of(
        "-Xms" + heap + "m",
        "-Xmx" + heap + "m",
        "-XX:MaxDirectMemorySize=" + (cache + OTHER_DIRECT) + "m");
  }
}
