package org.fastpath.zcr;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.io.ElasticByteBufferPool;

/**
 * Threads that read a file until they are closed and look at every byte. Positional reads and
 * slices are of one shared stream, sequential and zero-copy reads of one for each thread.
 */
final class Readers implements AutoCloseable {
  private static final int ALL_WAYS = 5;
  private static final int COPYING_WAYS = 3;
  private static final int FRAMES = 8;

  /** The amount of work. */
  enum Pace {
    /** As much as they can. */
    EAGER(3, 200_000, 0),
    /** For many at a time. */
    EASY(2, 20_000, 10);

    private final int threads;
    private final int mostBytes;
    private final int pauseMillis;

    Pace(int threads, int mostBytes, int pauseMillis) {
      this.threads = threads;
      this.mostBytes = mostBytes;
      this.pauseMillis = pauseMillis;
    }
  }

  private final FSDataInputStream shared;
  private final KnownBytes bytes;
  private final Pace pace;
  private final int ways;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile IOException lastFailure;
  private volatile boolean done;

  private Readers(
      FileSystem fileSystem, Path file, KnownBytes bytes, long seed, Pace pace, int ways)
      throws IOException {
    this.bytes = bytes;
    this.pace = pace;
    this.ways = ways;
    shared = fileSystem.open(file);
    for (int i = 0; i < pace.threads; i++) {
      Random random = new Random(seed + i);
      FSDataInputStream own = fileSystem.open(file);
      Thread thread = new Thread(() -> readAll(own, random), "reader-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  /** Readers in all ways. */
  static Readers inAllWays(FileSystem fileSystem, Path file, KnownBytes bytes, long seed, Pace pace)
      throws IOException {
    return new Readers(fileSystem, file, bytes, seed, pace, ALL_WAYS);
  }

  /** Readers that copy: nobody can touch a slice of a file that is truncated. */
  static Readers thatCopy(FileSystem fileSystem, Path file, KnownBytes bytes, long seed, Pace pace)
      throws IOException {
    return new Readers(fileSystem, file, bytes, seed, pace, COPYING_WAYS);
  }

  private void readAll(FSDataInputStream own, Random random) {
    try (own) {
      while (!done) {
        readOnce(own, random);
        Thread.sleep(pace.pauseMillis);
      }
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      wrong.add(e);
    }
  }

  private void readOnce(FSDataInputStream own, Random random) {
    int position = random.nextInt(bytes.length());
    int count = 1 + random.nextInt(pace.mostBytes);
    try {
      switch (random.nextInt(ways)) {
        case 0 -> positionalArray(position, count);
        case 1 -> positionalBuffer(position, count, random.nextBoolean());
        case 2 -> sequential(own, position, count);
        case 3 -> zeroCopy(own, position, count);
        default -> slice(position, count);
      }
      reads.incrementAndGet();
    } catch (IOException e) {
      lastFailure = e;
      failures.incrementAndGet();
    } catch (IllegalArgumentException e) {
      TestHdfs.requireOfStockStream(e);
    }
  }

  private void positionalArray(int position, int count) throws IOException {
    byte[] read = new byte[count];
    int length = requireSome(shared.read(position, read, 0, count));
    bytes.require(position, read, 0, length);
  }

  private void positionalBuffer(int position, int count, boolean direct) throws IOException {
    ByteBuffer read = direct ? ByteBuffer.allocateDirect(count) : ByteBuffer.allocate(count);
    requireSome(shared.read(position, read));
    bytes.require(position, read.flip());
  }

  private void sequential(FSDataInputStream own, int position, int count) throws IOException {
    byte[] read = new byte[count];
    own.seek(position);
    int length = requireSome(own.read(read));
    bytes.require(position, read, 0, length);
  }

  private void zeroCopy(FSDataInputStream own, int position, int count) throws IOException {
    own.seek(position);
    ByteBuffer read =
        own.read(new ElasticByteBufferPool(), count, EnumSet.noneOf(ReadOption.class));
    requireSome(read == null ? -1 : read.remaining());
    bytes.require(position, read);
    own.releaseBuffer(read);
  }

  /**
   * All reads are within the file. A stock stream may ask for locations again while another file
   * without blocks has its name. Then it sees the end of the file.
   */
  private static int requireSome(int read) throws EOFException {
    if (read <= 0) {
      throw new EOFException("read " + read + " within the file");
    }
    return read;
  }

  private void slice(int position, int count) {
    try (Slice slice = ((ZeroCopyInputStream) shared).slice(position, count)) {
      if (slice != null) {
        bytes.require(position, slice.buffer());
      }
    }
  }

  /** Reads that were right so far. */
  long reads() {
    return reads.get();
  }

  /** Reads that ended with an IOException, or found an end of the file, so far. */
  long failures() {
    return failures.get();
  }

  void requireNoFailures() {
    if (failures() > 0) {
      throw new IllegalStateException(
          failures() + " reads failed, at last with " + lastFailure, lastFailure);
    }
  }

  void requireNothingWrong() {
    for (Throwable e : wrong) {
      throw new IllegalStateException("a reader failed with " + withPlace(e), e);
    }
  }

  /** Returns a summary of tests that failed shows the message and no more. */
  private static String withPlace(Throwable e) {
    return Stream.of(e.getStackTrace())
        .limit(FRAMES)
        .map(StackTraceElement::toString)
        .collect(Collectors.joining(" < ", e + " at ", ""));
  }

  @Override
  public void close() throws IOException {
    done = true;
    boolean interrupted = false;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    shared.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    requireNothingWrong();
  }
}
