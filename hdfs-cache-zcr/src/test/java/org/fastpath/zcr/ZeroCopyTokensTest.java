package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.SecurityTestUtil;
import org.apache.hadoop.net.unix.DomainSocket;
import org.fastpath.cluster.Eventually;
import org.fastpath.zcr.pin.MiniHdfs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Block tokens expire in seconds, and a block enters and leaves the cache. An open stream continues
 * to read from mappings. With {@code -Dnightly=true} for 10 minutes, else until tokens have expired
 * a few times.
 */
class ZeroCopyTokensTest {
  private static final int BYTES = 1_000_000;
  private static final long TOKEN_MILLIS = 5_000;
  private static final Duration TIME =
      Boolean.getBoolean("nightly") ? Duration.ofMinutes(10) : Duration.ofSeconds(16);
  private static final Path FILE = new Path("/file");

  @TempDir java.nio.file.Path directory;

  @Test
  void mappedReadsGoOnWhileTokensExpire() throws Exception {
    DomainSocket.disableBindPathValidation();
    Configuration conf = MiniHdfs.conf();
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.set("dfs.domain.socket.path", directory.resolve("dn._PORT").toString());
    conf.setBoolean("dfs.client.read.shortcircuit", true);
    conf.set("dfs.client.context", "tokens");
    conf.setInt("dfs.client.mmap.cache.size", 0);
    conf.setInt("dfs.client.read.shortcircuit.streams.cache.size", 0);
    conf.setInt(ZeroCopyOptions.GRACE_MILLIS, 100);
    conf.setInt(ZeroCopyOptions.IDLE_MILLIS, 1_000);
    conf.set("fs.hdfs.impl", ZeroCopyFileSystem.class.getName());
    try (MiniDFSCluster cluster =
        MiniHdfs.builder(conf, directory.resolve("hdfs")).numDataNodes(1).build()) {
      BlockTokenSecretManager tokens =
          cluster.getNamesystem().getBlockManager().getBlockTokenSecretManager();
      SecurityTestUtil.setBlockTokenLifetime(tokens, TOKEN_MILLIS);
      try (DistributedFileSystem fs = cluster.getFileSystem()) {
        run(fs);
      }
    }
  }

  private static void run(DistributedFileSystem fs) throws Exception {
    byte[] bytes = new KnownBytes(4711, BYTES).all();
    try (OutputStream out = fs.create(FILE)) {
      out.write(bytes);
    }
    fs.addCachePool(new CachePoolInfo("pool"));
    neverEmpty(fs);
    LocatedBlock first = block(fs, FILE);
    long copied = ZeroCopyMetrics.copiedReads();
    long failed = ZeroCopyMetrics.fallbacks(Fallback.FAILED);
    try (ZeroCopyInputStream in = (ZeroCopyInputStream) fs.open(FILE)) {
      long end = System.nanoTime() + TIME.toNanos();
      do {
        long directive = cache(fs, FILE);
        readMapped(in, bytes);
        fs.removeCacheDirective(directive);
        readStock(in, bytes);
      } while (System.nanoTime() < end
          || !SecurityTestUtil.isBlockTokenExpired(first.getBlockToken()));
    }
    assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(copied);
    assertThat(ZeroCopyMetrics.fallbacks(Fallback.FAILED) - failed)
        .as(
            "a token that has expired is asked for anew, once for each time that the block is "
                + "mapped")
        .isLessThanOrEqualTo(ZeroCopyMetrics.copiedReads() - copied);
  }

  /** A DataNode of Hadoop 3.5 reports no cache that is empty (HDFS-17339). */
  private static void neverEmpty(DistributedFileSystem fs) throws Exception {
    Path other = new Path("/other");
    DFSTestUtil.createFile(fs, other, 1, (short) 1, 0);
    cache(fs, other);
  }

  private static LocatedBlock block(DistributedFileSystem fs, Path file) throws IOException {
    return fs.getClient().getLocatedBlocks(file.toString(), 0).get(0);
  }

  private static long cache(DistributedFileSystem fs, Path file) throws Exception {
    long directive =
        fs.addCacheDirective(
            new CacheDirectiveInfo.Builder().setPool("pool").setPath(file).build());
    Eventually.holds(() -> assertThat(block(fs, file).getCachedLocations()).isNotEmpty());
    return directive;
  }

  /** Until a read comes from a mapping. One mapping and one pair of descriptors is all there is. */
  private static void readMapped(ZeroCopyInputStream in, byte[] bytes) throws Exception {
    long before = ZeroCopyMetrics.copiedReads();
    Eventually.holds(
        () -> {
          read(in, bytes);
          assertThat(ZeroCopyMetrics.copiedReads()).isGreaterThan(before);
        });
    assertThat(Mappings.current().all()).hasSizeLessThanOrEqualTo(1);
  }

  /** Until the mapping is retired, because the block left the cache. */
  private static void readStock(ZeroCopyInputStream in, byte[] bytes) throws Exception {
    Eventually.holds(
        () -> {
          read(in, bytes);
          assertThat(Mappings.current().all()).isEmpty();
        });
  }

  private static void read(ZeroCopyInputStream in, byte[] bytes) throws IOException {
    byte[] read = new byte[bytes.length];
    in.readFully(0, read);
    assertThat(read).isEqualTo(bytes);
  }
}
