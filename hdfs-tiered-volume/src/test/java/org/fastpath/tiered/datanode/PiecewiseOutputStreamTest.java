package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiecewiseOutputStreamTest {
  private static final int PIECE = PiecewiseOutputStream.PIECE_BYTES;

  private final List<Integer> pieces = new ArrayList<>();

  @TempDir Path directory;

  /** Keeps the lengths of writes. */
  private final class Kept extends FileOutputStream {
    private Kept(FileDescriptor file) {
      super(file);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      pieces.add(length);
      super.write(bytes, offset, length);
    }
  }

  @Test
  void allBytesAreWrittenInOrder() throws IOException {
    byte[] bytes = new byte[4 * PIECE];
    new Random(1).nextBytes(bytes);
    Path path = directory.resolve("file");
    try (FileOutputStream opened = new FileOutputStream(path.toFile())) {
      Kept kept = new Kept(opened.getFD());
      try (FileOutputStream file = new PiecewiseOutputStream(opened.getFD(), kept)) {
        assertThat(file.getFD()).isSameAs(opened.getFD());
        file.write(bytes[0]);
        file.write(bytes, 1, PIECE);
        file.write(bytes, 1 + PIECE, 0);
        file.write(bytes, 1 + PIECE, 2 * PIECE + 1);
        file.write(Arrays.copyOfRange(bytes, 2 + 3 * PIECE, 4 * PIECE));
        file.getChannel().force(false);
      }
      assertThat(opened.getFD().valid()).as("open").isFalse();
    }
    assertThat(pieces).containsExactly(PIECE, PIECE, PIECE, 1, PIECE - 2);
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
  }
}
