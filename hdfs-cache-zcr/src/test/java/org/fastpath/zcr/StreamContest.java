package org.fastpath.zcr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.io.ElasticByteBufferPool;

/**
 * Calls the same methods with the same arguments, chosen at random, of a stream of ours and of a
 * stock one. Positional calls must be equal in every detail, also in exceptions. Sequential ones
 * may return fewer bytes, but at least one, and are compared with the file's bytes.
 */
final class StreamContest {
  private static final int CALLS = 800;
  private static final int MAX_BYTES = 150_000;

  private final FileSystem stock;
  private final FileSystem ours;
  private final KnownBytes bytes;
  private final Random random;

  StreamContest(FileSystem stock, FileSystem ours, KnownBytes bytes, long seed) {
    this.stock = stock;
    this.ours = ours;
    this.bytes = bytes;
    this.random = new Random(seed);
  }

  /** The result or failure of a call, and the content of its target. */
  private record Outcome(Object result, int position, byte[] target) {
    void requireSame(Outcome other, String call) {
      assertThat(other.result).as(call).isEqualTo(result);
      assertThat(other.position).as(call).isEqualTo(position);
      assertThat(other.target).as(call).isEqualTo(target);
    }
  }

  @FunctionalInterface
  private interface Call {
    Object on(FSDataInputStream in, ByteBuffer target) throws Exception;
  }

  void run(Path file) throws IOException {
    try (FSDataInputStream left = stock.open(file);
        FSDataInputStream right = ours.open(file)) {
      assertThat(right).isInstanceOf(ZeroCopyInputStream.class);
      for (int i = 0; i < CALLS; i++) {
        if (random.nextBoolean()) {
          positional(left, right);
        } else {
          sequential(left, right);
        }
      }
      left.close();
      right.close();
      positional(left, right);
    }
  }

  // Positional.

  private void positional(FSDataInputStream left, FSDataInputStream right) {
    long position = position();
    int count = count();
    boolean direct = random.nextBoolean();
    int kind = random.nextInt(5);
    Call call =
        switch (kind) {
          case 0 -> (in, target) -> in.read(position, target.array(), 3, count);
          case 1 ->
              (in, target) -> {
                in.readFully(position, target.array(), 3, count);
                return "done";
              };
          case 2 -> (in, target) -> in.read(position, target);
          case 3 ->
              (in, target) -> {
                in.readFully(position, target);
                return "done";
              };
          default -> (in, target) -> vectored(in, position, count);
        };
    boolean buffer = direct && (kind == 2 || kind == 3);
    String what = "call " + kind + " of " + count + " bytes at " + position;
    outcome(left, call, count, buffer).requireSame(outcome(right, call, count, buffer), what);
  }

  private static Outcome outcome(FSDataInputStream in, Call call, int count, boolean direct) {
    ByteBuffer target =
        direct ? ByteBuffer.allocateDirect(count + 3) : ByteBuffer.allocate(count + 3);
    target.position(3);
    Object result;
    try {
      result = call.on(in, target);
    } catch (Exception e) {
      return new Outcome(e.toString(), 0, new byte[0]);
    }
    byte[] left = new byte[target.capacity()];
    target.get(0, left);
    return new Outcome(result, target.position(), left);
  }

  private static List<ByteBuffer> vectored(FSDataInputStream in, long position, int count)
      throws Exception {
    List<FileRange> ranges =
        List.of(
            FileRange.createFileRange(position, count),
            FileRange.createFileRange(position + count + 100, count));
    in.readVectored(ranges, ByteBuffer::allocate);
    List<ByteBuffer> read = new ArrayList<>();
    for (FileRange range : ranges) {
      read.add(range.getData().get());
    }
    return read;
  }

  // Sequential.

  private void sequential(FSDataInputStream left, FSDataInputStream right) throws IOException {
    switch (random.nextInt(7)) {
      case 0 -> {
        int expected = left.read();
        assertThat(right.read()).isEqualTo(expected);
      }
      case 1 -> array(left, right, count());
      case 2 -> buffer(left, right, count());
      case 3 -> zeroCopy(left, right, 1 + count(), EnumSet.noneOf(ReadOption.class));
      case 4 -> zeroCopy(left, right, 1 + count(), EnumSet.of(ReadOption.SKIP_CHECKSUMS));
      case 5 -> {
        int distance = random.nextInt(1000);
        long skipped = left.skip(distance);
        assertThat(right.skip(distance)).isEqualTo(skipped);
      }
      default -> seek(left, right);
    }
    assertThat(right.available()).isEqualTo((int) (bytes.length() - right.getPos()));
    left.seek(right.getPos());
  }

  private void array(FSDataInputStream left, FSDataInputStream right, int count)
      throws IOException {
    byte[] read = new byte[count + 5];
    long position = right.getPos();
    int expected = left.read(read, 5, count);
    int actual = right.read(read, 5, count);
    requireRead(right, position, expected, actual);
    bytes.require(position, read, 5, Math.max(0, actual));
  }

  private void buffer(FSDataInputStream left, FSDataInputStream right, int count)
      throws IOException {
    ByteBuffer read = ByteBuffer.allocate(count);
    long position = right.getPos();
    int expected = left.read(read.duplicate());
    int actual = right.read(read);
    requireRead(right, position, expected, actual);
    assertThat(read.position()).isEqualTo(Math.max(0, actual));
    bytes.require(position, read.flip());
  }

  private void zeroCopy(
      FSDataInputStream left, FSDataInputStream right, int count, EnumSet<ReadOption> options)
      throws IOException {
    ElasticByteBufferPool pool = new ElasticByteBufferPool();
    long position = right.getPos();
    ByteBuffer expected = left.read(pool, count, options);
    ByteBuffer actual = right.read(pool, count, options);
    requireRead(right, position, remaining(expected), remaining(actual));
    if (actual != null) {
      bytes.require(position, actual);
      left.releaseBuffer(expected);
      right.releaseBuffer(actual);
    }
  }

  private static int remaining(ByteBuffer buffer) {
    return buffer == null ? -1 : buffer.remaining();
  }

  private static void requireRead(FSDataInputStream in, long position, int expected, int actual)
      throws IOException {
    assertThat(Integer.signum(actual)).isEqualTo(Integer.signum(expected));
    assertThat(in.getPos()).isEqualTo(position + Math.max(0, actual));
  }

  private void seek(FSDataInputStream left, FSDataInputStream right) {
    long position = position();
    Call call =
        (in, target) -> {
          in.seek(position);
          return in.getPos();
        };
    outcome(left, call, 0, false)
        .requireSame(outcome(right, call, 0, false), "seek to " + position);
  }

  /** Mostly anywhere in the file, often at an edge, seldom outside. */
  private long position() {
    int near = random.nextInt(9) - 4;
    return switch (random.nextInt(8)) {
      case 0 -> bytes.length() + near;
      case 1 -> (long) TestHdfs.BLOCK_BYTES * (1 + random.nextInt(4)) + near;
      case 2 -> near;
      default -> random.nextInt(bytes.length());
    };
  }

  private int count() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(30);
      case 1 -> random.nextInt(2 * TestHdfs.BLOCK_BYTES + 10) / 16 * 16;
      default -> random.nextInt(MAX_BYTES);
    };
  }
}
