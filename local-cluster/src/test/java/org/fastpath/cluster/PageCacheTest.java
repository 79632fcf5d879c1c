package org.fastpath.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** Tests the content of the page cache, and the block of a DataNode's thread. */
class PageCacheTest {
  private static final int BYTES = 1 << 20;

  @Test
  void whatWasNotUsedForLongestLeaves() {
    PageCache pages = new PageCache(30);
    pages.add(1, 10);
    pages.add(2, 10);
    pages.add(1, 5);
    pages.add(3, 10);
    assertThat(pages.contains(2)).isFalse();
    assertThat(pages.contains(1)).isTrue();
    pages.touch(1);
    pages.add(4, 5);
    assertThat(pages.contains(1)).isTrue();
    pages.add(5, 1);
    assertThat(pages.contains(3)).isFalse();
    pages.add(6, 31);
    assertThat(pages.contains(6)).isFalse();
    pages.add(7, 30);
    assertThat(pages.contains(7)).isTrue();
  }

  @Test
  void toAskForABlockIsNotToUseIt() {
    PageCache pages = new PageCache(20);
    pages.write(1, 10);
    pages.write(2, 10);
    assertThat(pages.contains(1)).isTrue();
    pages.drop(1, 0);
    pages.write(3, 10);
    assertThat(pages.contains(1)).isFalse();
    assertThat(pages.contains(2)).isTrue();
  }

  @Test
  void whatIsDroppedLeavesRoomAndHasToBeReadAgain() {
    PageCache pages = new PageCache(100);
    pages.write(1, 50);
    pages.write(2, 50);
    pages.drop(1, 30);
    assertThat(pages.contains(1)).isFalse();
    pages.write(1, 20);
    pages.drop(1, 60);
    assertThat(pages.contains(1)).as("its end is all there is").isFalse();
    pages.write(3, 40);
    assertThat(pages.contains(2)).as("there was room").isTrue();
    pages.touch(2);
    pages.write(3, 1);
    assertThat(pages.contains(2)).isTrue();
    pages.forget(2);
    pages.write(4, 50);
    assertThat(pages.contains(3)).isTrue();
  }

  @Test
  void aBlockOfWhichTheEndWasReadIsNotThere() {
    PageCache pages = new PageCache(1000);
    of("Receiving block BP-1-127.0.0.1-2:blk_1_1", pages).written(100);
    pages.drop(1, 100);
    assertThat(of("Sending block BP-1-127.0.0.1-2:blk_1_1", pages).read(10)).isFalse();
    assertThat(pages.contains(1)).isFalse();
    assertThat(of("Sending block BP-1-127.0.0.1-2:blk_1_1", pages).read(100)).isFalse();
    assertThat(pages.contains(1)).isTrue();
    pages.drop(1, 100);
    assertThat(pages.contains(1)).isFalse();
  }

  @Test
  void aThreadsNameSaysWhichBlockItIsAbout() {
    PageCache pages = new PageCache(100);
    CurrentBlock written = of("Receiving block BP-1-127.0.0.1-2:blk_1073741825_1001", pages);
    assertThat(written.isSent()).isFalse();
    written.written(60);
    CurrentBlock read = of("Sending block BP-1-127.0.0.1-2:blk_1073741825_1001", pages);
    assertThat(read.isSent()).isTrue();
    assertThat(read.read(10)).isTrue();
    CurrentBlock other = of("Sending block BP-1-127.0.0.1-2:blk_-7_1001", pages);
    assertThat(other.read(30)).isFalse();
    assertThat(other.read(20)).as("what is behind is not there yet").isFalse();
    assertThat(pages.contains(1073741825)).isFalse();
    assertThat(of("Sending block BP-1-127.0.0.1-2:blk_-7_1001", pages).read(50)).isTrue();
  }

  @Test
  void otherThreadsAreAboutNone() {
    PageCache pages = new PageCache(100);
    CurrentBlock none = CurrentBlock.of("Async disk worker #1 for volume /data", pages);
    none.written(10);
    assertThat(none.isSent()).isFalse();
    assertThat(pages.contains(0)).isFalse();
  }

  @Test
  void anOperationIsKnownByTheNameItHasSet() {
    String name = "DataXceiver for client at /127.0.0.1:1 [Sending block BP-1:blk_1_1]";
    CurrentBlock block = CurrentBlock.of(name, new PageCache(1));
    assertThat(block.isOf(name)).isTrue();
    assertThat(block.isOf(new String(name))).isFalse();
  }

  /**
   * A kernel has room for two of four files, so the first one is read from the device. So is a file
   * whose writer requested to drop it.
   */
  @Test
  void devicesReadWhatTheKernelHasNoLongerGot() throws IOException {
    try (LocalCluster cluster =
        LocalCluster.builder()
            .hbase(false)
            .slowVolume(0, VolumeSpeed.bytesPerSecond(1e12).writeBack(BYTES, BYTES / 4.0))
            .pageCache(5 * BYTES / 2)
            .dropLag(BYTES / 16)
            .daemon(Role.DATANODE, DaemonOptions::quickStart)
            .start()) {
      Configuration conf = new Configuration();
      cluster.clientConfiguration().forEach(conf::set);
      Daemon dataNode = cluster.daemon(Role.DATANODE, 0);
      try (FileSystem files = FileSystem.newInstance(conf)) {
        for (int i = 0; i < 4; i++) {
          try (OutputStream out = files.create(new Path("/file" + i))) {
            out.write(new byte[BYTES]);
          }
        }
        read(files, 3);
        assertThat(dataNode.deviceUse().get(0).readBytes()).isZero();
        read(files, 0);
        long once = dataNode.deviceUse().get(0).readBytes();
        assertThat(once).isBetween((long) BYTES, BYTES + BYTES / 10L);
        read(files, 0);
        assertThat(dataNode.deviceUse().get(0).readBytes()).isEqualTo(once);
        try (FSDataOutputStream out = files.create(new Path("/file4"))) {
          out.setDropBehind(true);
          out.write(new byte[BYTES]);
        }
        read(files, 0);
        assertThat(dataNode.deviceUse().get(0).readBytes()).as("it kept its room").isEqualTo(once);
        read(files, 4);
        assertThat(dataNode.deviceUse().get(0).readBytes())
            .as("what the writer did not want kept")
            .isGreaterThanOrEqualTo(once + BYTES);
      }
    }
  }

  private static void read(FileSystem files, int number) throws IOException {
    try (InputStream in = files.open(new Path("/file" + number))) {
      assertThat(in.readAllBytes()).hasSize(BYTES);
    }
  }

  private static CurrentBlock of(String status, PageCache pages) {
    return CurrentBlock.of("DataXceiver for client c at /127.0.0.1:1 [" + status + "]", pages);
  }
}
