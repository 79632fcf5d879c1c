package org.fastpath.tiered.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PiecewiseOutputStreamTest {
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

  @ParameterizedTest
  @MethodSource("writes")
  void largeArraysAreWrittenInPieces(int length, List<Integer> expected) throws IOException {
    byte[] bytes = new byte[length + 2];
    new Random(length).nextBytes(bytes);
    Path path = directory.resolve("file");
    try (FileOutputStream opened = new FileOutputStream(path.toFile())) {
      Kept kept = new Kept(opened.getFD());
      try (FileOutputStream file = new PiecewiseOutputStream(opened.getFD(), kept)) {
        assertThat(file.getFD()).isSameAs(opened.getFD());
        file.write(bytes[0]);
        file.write(bytes, 1, length);
        file.write(new byte[] {bytes[length + 1]});
        file.getChannel().force(false);
      }
      assertThat(opened.getFD().valid()).as("open").isFalse();
    }
    assertThat(pieces.subList(0, pieces.size() - 1)).isEqualTo(expected);
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
  }

  static Stream<Arguments> writes() {
    int piece = PiecewiseOutputStream.PIECE_BYTES;
    int large = PiecewiseOutputStream.LARGE_BYTES;
    // Data of HDFS's usual packets, and of ours.
    int usual = 126 * 512;
    int ours = 1008 * 512;
    return Stream.of(
        arguments(0, List.of(0)),
        arguments(usual, List.of(usual)),
        arguments(large - 1, List.of(large - 1)),
        arguments(large, List.of(piece, large - piece)),
        arguments(
            ours,
            Stream.concat(Collections.nCopies(8, piece).stream(), Stream.of(ours - 8 * piece))
                .toList()));
  }
}
