package org.fastpath.bench.simulators.hitratio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
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
    Writer file = Files.newBufferedWriter(Path.of(conf.get(KEY)));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(file)));
    try {
      Field field = HRegionServer.class.getDeclaredField(FIELD);
      field.setAccessible(true);
      field.set(this, recorded(getBlockCache().orElseThrow(), file));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("HRegionServer." + FIELD, e);
    }
  }

  private static void close(Writer file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Wraps the cache. Each data block that is found, and each that is cached after a miss, becomes a
   * line of the file.
   */
  static BlockCache recorded(BlockCache cache, Writer file) {
    Map<String, Integer> numbers = new HashMap<>();
    return (BlockCache)
        Proxy.newProxyInstance(
            FirstLevelBlockCache.class.getClassLoader(),
            new Class<?>[] {FirstLevelBlockCache.class},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(cache, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              switch (method.getName()) {
                case "getBlock" -> write(arguments[0], result, numbers, file);
                case "cacheBlock" -> write(arguments[0], arguments[1], numbers, file);
                default -> {}
              }
              return result;
            });
  }

  private static void write(Object key, Object block, Map<String, Integer> numbers, Writer file)
      throws IOException {
    if (block instanceof HFileBlock data && data.getBlockType().isData()) {
      BlockCacheKey name = (BlockCacheKey) key;
      synchronized (file) {
        int number = numbers.computeIfAbsent(name.getHfileName(), any -> numbers.size());
        file.write(number + " " + name.getOffset() + " " + data.getSerializedLength() + "\n");
      }
    }
  }
}
