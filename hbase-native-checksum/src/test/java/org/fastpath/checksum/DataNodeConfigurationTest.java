package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real DataNode with our classes in front and a wrong setting. */
class DataNodeConfigurationTest {
  private static final Path OURS = Path.of("target", "classes").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path directory;

  @Test
  void aWrongProviderStopsTheDataNodeAtItsFirstBlock() throws Exception {
    try (LocalCluster cluster =
        LocalCluster.builder()
            .directory(directory.resolve("cluster"))
            .hbase(false)
            .daemon(
                Role.DATANODE,
                options ->
                    options
                        .prependToClasspath(OURS)
                        .quickStart()
                        .jvmFlags("-D" + ChecksumProvider.KEY + "=fast"))
            .start()) {
      Daemon dataNode = cluster.daemon(Role.DATANODE, 0);
      Instant end = Instant.now().plus(PATIENCE);
      while (dataNode.isAlive() && Instant.now().isBefore(end)) {
        tryToWrite(cluster);
      }
      assertThat(dataNode.isAlive()).isFalse();
      assertThat(Files.readString(dataNode.log()))
          .contains(
              ChecksumProvider.KEY
                  + " is 'fast' (from the system property); allowed are: auto, jdk, hadoop-native");
    }
  }

  private static void tryToWrite(LocalCluster cluster) {
    Configuration configuration = new Configuration();
    cluster.clientConfiguration().forEach(configuration::set);
    try (FileSystem fileSystem = FileSystem.newInstance(configuration)) {
      // Not in the try: a close after a failed write throws the write's own exception again.
      FSDataOutputStream out =
          fileSystem.create(new org.apache.hadoop.fs.Path("/file" + System.nanoTime()));
      out.write(new byte[100_000]);
      out.hsync();
      out.close();
    } catch (IOException e) {
      // The block ended the only DataNode, as the test expects.
    }
  }
}
