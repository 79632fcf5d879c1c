package org.fastpath.bench.simulators.hitratio;

import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * A stock RegionServer that records, as a {@link TraceFile}, which data blocks its readers request
 * from its block cache. Use it only to record traces; see docs/results/benchmarks.md.
 *
 * <p>The key {@value #KEY} in the RegionServer's configuration names the file. The file is complete
 * after the RegionServer has ended.
 */
public final class RecordingRegionServer extends HRegionServer {
  private static final String KEY = "fastpath.trace.file";
  private static final String FIELD = "blockCache";

  /** Called by HBase, which looks for this signature. */
  public RecordingRegionServer(Configuration conf) throws IOException {
    super(conf);
    BufferedWriter file = Files.newBufferedWriter(Path.of(conf.get(KEY)));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> BlockRecorder.close(file)));
    replace(recorded(getBlockCache().orElseThrow(), new BlockRecorder(file)));
  }

  /** Wraps the cache and reports its look-ups and new blocks to the recorder. */
  static BlockCache recorded(BlockCache cache, BlockRecorder recorder) {
    return (BlockCache)
        Proxy.newProxyInstance(
            FirstLevelBlockCache.class.getClassLoader(),
            new Class<?>[] {FirstLevelBlockCache.class},
            (proxy, method, arguments) -> {
              Object result = call(cache, method, arguments);
              switch (method.getName()) {
                case "getBlock" -> recorder.read(arguments[0], result);
                case "cacheBlock" -> recorder.read(arguments[0], arguments[1]);
                default -> {}
              }
              return result;
            });
  }

  private static Object call(BlockCache cache, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(cache, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private void replace(BlockCache cache) {
    try {
      Field field = HRegionServer.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      field.set(this, cache);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("HRegionServer." + FIELD, e);
    }
  }
}
