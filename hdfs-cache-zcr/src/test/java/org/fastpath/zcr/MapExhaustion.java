package org.fastpath.zcr;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Timer;
import java.util.TimerTask;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplicaInfo;
import org.apache.hadoop.io.nativeio.NativeIO;

/**
 * A process that has all the maps that {@code vm.max_map_count} allows while a block is to be
 * mapped for the first time. A JVM does not survive this for long. It ends if the kernel refuses a
 * map for heap, code, classes or a thread's stack. So it has all of these before, and gives some
 * maps back as soon as the block was refused; nobody may take those for blocks.
 *
 * <p>Arguments: a file that it may map, the file to read, seed and length of the bytes of both.
 */
public final class MapExhaustion {
  private static final int READ_BYTES = 50_000;
  private static final long RETRY_MILLIS = 2_000;
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int HEADROOM = 100;

  private final KnownBytes bytes;
  private final List<MappedByteBuffer> maps = new ArrayList<>();

  private MapExhaustion(KnownBytes bytes) {
    this.bytes = bytes;
  }

  /** Runs it; ends with an exception if anything is not as it should be. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.hdfs.impl", ZeroCopyFileSystem.class.getName());
    conf.setLong("dfs.client.mmap.retry.timeout.ms", RETRY_MILLIS);
    // No connection is to end meanwhile: a new one begins with a thread, and that with a map.
    conf.setInt("ipc.client.connection.maxidletime", 10 * PATIENCE_MILLIS);
    endInTime();
    keepMetaspace();
    KnownBytes bytes = new KnownBytes(Long.parseLong(args[2]), Integer.parseInt(args[3]));
    Configuration stockConf = new Configuration(conf);
    stockConf.setBoolean(ZeroCopyOptions.ENABLED, false);
    try (FileSystem stock = FileSystem.newInstance(stockConf);
        FileSystem ours = FileSystem.newInstance(conf)) {
      new MapExhaustion(bytes).run(stock, ours, new Path(args[0]), new Path(args[1]));
    }
  }

  /** A second request for a refused replica would never return. */
  private static void endInTime() {
    TimerTask end =
        new TimerTask() {
          @Override
          public void run() {
            System.out.println("it takes too long");
            Runtime.getRuntime().halt(1);
          }
        };
    new Timer("end", true).schedule(end, 3 * PATIENCE_MILLIS);
  }

  /**
   * Reserves memory for classes that the JVM loads at the limit, where it can map no more. Loads
   * classes of Hadoop by a temporary loader. With {@code MetaspaceReclaimPolicy=none} their memory
   * stays.
   */
  private static void keepMetaspace() throws Exception {
    URL jar = Configuration.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar}, null);
        JarFile entries = new JarFile(java.nio.file.Path.of(jar.toURI()).toFile())) {
      List<String> names =
          entries.stream()
              .map(JarEntry::getName)
              .filter(name -> name.startsWith("org/apache/hadoop/io/") && name.endsWith(".class"))
              .map(name -> name.replace('/', '.').substring(0, name.length() - ".class".length()))
              .toList();
      for (String name : names) {
        try {
          Class.forName(name, false, loader);
        } catch (LinkageError | ClassNotFoundException e) {
          // It extends one of another jar; there are enough.
        }
      }
    }
    // The only way to unload them.
    System.gc();
  }

  private void run(FileSystem stock, FileSystem ours, Path other, Path file) throws Exception {
    try (HdfsDataInputStream unmapped = (HdfsDataInputStream) stock.open(other);
        FSDataInputStream mapped = ours.open(other);
        FSDataInputStream in = ours.open(file)) {
      read(unmapped);
      giveSlotBack((DistributedFileSystem) stock, unmapped);
      read(mapped);
      require(ZeroCopyMetrics.copiedReads() > 0, "the file is not mapped that may be");
      refuse(in);
      long copied = ZeroCopyMetrics.copiedReads();
      read(in);
      require(ZeroCopyMetrics.copiedReads() == copied, "mapped right after a refusal");
      read(mapped);
      require(ZeroCopyMetrics.copiedReads() > copied, "what is mapped is not read from its map");
      Thread.sleep(2 * RETRY_MILLIS);
      refuse(in);
      giveBack(maps.size());
      awaitMapped(in);
      System.out.println("mapped in the end");
    }
  }

  /** Reads at the limit. */
  private void refuse(FSDataInputStream in) throws IOException {
    long unmappable = ZeroCopyMetrics.fallbacks(Fallback.UNMAPPABLE);
    takeAllMaps(java.nio.file.Path.of("/proc/self/exe"));
    try {
      read(in, 0, READ_BYTES);
    } finally {
      giveBack(HEADROOM);
    }
    require(ZeroCopyMetrics.fallbacks(Fallback.UNMAPPABLE) > unmappable, "not refused");
    System.out.println("refused with so many maps taken: " + maps.size());
  }

  /** As is done with the replica of a block that was refused; it begins a thread. */
  private static void giveSlotBack(DistributedFileSystem stock, HdfsDataInputStream in)
      throws IOException {
    ExtendedBlockId id = ExtendedBlockId.fromExtendedBlock(in.getAllBlocks().get(0).getBlock());
    ShortCircuitReplica replica =
        stock
            .getClient()
            .getClientContext()
            .getShortCircuitCache(id.getBlockId())
            .fetchOrCreate(id, ShortCircuitReplicaInfo::new)
            .getReplica();
    replica.getSlot().makeInvalid();
    replica.unref();
  }

  private void takeAllMaps(java.nio.file.Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (true) {
        // Each of the same page, so that the kernel cannot join it with its neighbour.
        maps.add(channel.map(FileChannel.MapMode.READ_ONLY, 0, 1));
      }
    } catch (IOException e) {
      require(e.getMessage().equals("Map failed"), e.toString());
    }
  }

  private void giveBack(int count) {
    List<MappedByteBuffer> last = maps.subList(maps.size() - count, maps.size());
    last.forEach(NativeIO.POSIX::munmap);
    last.clear();
  }

  private void awaitMapped(FSDataInputStream in) throws Exception {
    long copied = ZeroCopyMetrics.copiedReads();
    for (int i = 0; i < PATIENCE_MILLIS / RETRY_MILLIS; i++) {
      read(in);
      if (ZeroCopyMetrics.copiedReads() > copied) {
        return;
      }
      Thread.sleep(RETRY_MILLIS / 2);
    }
    throw new IllegalStateException("not mapped although there is room");
  }

  private void read(FSDataInputStream in) throws IOException {
    for (int position = 0; position < bytes.length(); position += READ_BYTES) {
      read(in, position, Math.min(READ_BYTES, bytes.length() - position));
    }
  }

  private void read(FSDataInputStream in, int position, int count) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(count);
    in.readFully(position, read);
    bytes.require(position, read.flip());
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
