package org.fastpath.tiered.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.util.FSUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the parts that need no HDFS. Tests on a cluster show that files get their policies. */
class PlacingFileSystemTest {
  private final Configuration conf = new Configuration();

  @TempDir java.nio.file.Path directory;

  /** Has no policies, and keeps those that are asked for. */
  private static final class Policies extends LocalFileSystem {
    private final StringBuilder asked = new StringBuilder();

    @Override
    public void setStoragePolicy(Path file, String policy) throws IOException {
      FileStatus status = getFileStatus(file);
      asked.append(file.getName()).append(' ').append(policy).append(' ').append(status.getLen());
      throw new IOException("no policies");
    }
  }

  private final Policies policies = new Policies();

  @BeforeEach
  void open() throws IOException {
    policies.initialize(directory.toUri(), conf);
    policies.setConf(conf);
  }

  @Test
  void aFileIsEmptyWhenItGetsItsPolicyAndIsWrittenIfItCannot() throws IOException {
    Path file = new Path(directory.toString(), "file");
    PlacingFileSystem files = placing(new HFileSystem(policies));
    try (FSDataOutputStream out =
        FSUtils.create(conf, files, file, FsPermission.getFileDefault(), null)) {
      out.write(new byte[5]);
    }
    assertThat(policies.asked).hasToString("file COLD 0");
    assertThat(files.getFileStatus(file).getLen()).isEqualTo(5);
  }

  /** A reader takes the file system that its own tells it, which can be without checksums. */
  @Test
  void filesAreReadAsHBaseReadsThem() throws IOException {
    HFileSystem stock =
        new HFileSystem(policies) {
          @Override
          public boolean useHBaseChecksum() {
            return true;
          }

          @Override
          public FileSystem getNoChecksumFs() {
            return policies;
          }
        };
    assertThat(placing(stock).useHBaseChecksum()).isTrue();
    assertThat(placing(stock).getNoChecksumFs()).isSameAs(policies);
    assertThat(placing(policies).useHBaseChecksum()).isFalse();
    assertThat(placing(policies).getNoChecksumFs()).isSameAs(policies);
  }

  private PlacingFileSystem placing(FileSystem stock) {
    return new PlacingFileSystem(
        stock, conf, () -> new InetSocketAddress[0], Optional.of("COLD"), false);
  }
}
