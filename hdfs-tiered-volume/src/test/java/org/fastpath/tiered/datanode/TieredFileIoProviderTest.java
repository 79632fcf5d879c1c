package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TieredFileIoProviderTest {
  private static final int BYTES = 3 * PiecewiseOutputStream.PIECE_BYTES / 2;

  private final Configuration conf = new Configuration(false);

  @TempDir Path directory;

  @Test
  void replicasAreWrittenInPieces() throws Exception {
    FileIoProvider stock = new FileIoProvider(conf, null);
    FileIoProvider ours = new TieredFileIoProvider(stock, KernelAdvice.of(conf));
    Path path = directory.resolve("replica");
    try (FileOutputStream opened = new FileOutputStream(path.toFile());
        FileOutputStream replica = ours.getFileOutputStream(null, opened.getFD())) {
      assertThat(replica).isInstanceOf(PiecewiseOutputStream.class);
      replica.write(new byte[BYTES]);
      ours.sync(null, replica);
      assertThat(Files.size(path)).isEqualTo(BYTES);
      assertThatThrownBy(() -> replica.write(new byte[1], 1, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      opened.close();
      assertThatThrownBy(() -> replica.write(new byte[1])).isInstanceOf(IOException.class);
    }
  }
}
