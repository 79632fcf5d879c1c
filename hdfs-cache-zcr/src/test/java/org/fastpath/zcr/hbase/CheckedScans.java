package org.fastpath.zcr.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.fastpath.cluster.Eventually;
import org.fastpath.offheap.reader.Scanners;
import org.fastpath.zcr.TestHdfs;

/**
 * Threads that scan a file from random rows until they are closed, and compare each cell. The file
 * has one cell in each row.
 */
final class CheckedScans implements AutoCloseable {
  private static final int THREADS = 3;
  private static final int MOST_CELLS = 80;
  private static final int SCANS_OF_A_ROUND = 50;

  private final Scanners scanners;
  private final List<byte[]> cells;
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
  private final AtomicLong scans = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile Throwable lastFailure;
  private volatile boolean done;

  /**
   * Starts the threads.
   *
   * @param cells the expected cells, in order
   */
  CheckedScans(Scanners scanners, List<byte[]> cells, long seed) {
    this.scanners = scanners;
    this.cells = cells;
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed + i);
      Thread thread = new Thread(() -> scanAll(random), "scan-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  /** Returns all cells of a scanner's file. */
  static List<byte[]> all(HFileScanner scanner) throws IOException {
    List<byte[]> cells = new ArrayList<>();
    assertThat(scanner.seekTo()).isTrue();
    do {
      cells.add(bytes(scanner));
    } while (scanner.next());
    return cells;
  }

  private static byte[] bytes(HFileScanner scanner) {
    return KeyValueUtil.copyToNewKeyValue(scanner.getCell()).getBuffer();
  }

  private void scanAll(Random random) {
    try {
      while (!done) {
        try {
          scanOnce(random);
        } catch (IOException | InternalError e) {
          lastFailure = e;
          failures.incrementAndGet();
        } catch (IllegalArgumentException e) {
          TestHdfs.requireOfStockStream(e);
        }
        scans.incrementAndGet();
      }
    } catch (RuntimeException | Error e) {
      wrong.add(e);
    }
  }

  private void scanOnce(Random random) throws IOException {
    HFileScanner scanner = scanners.open(true, true, false);
    try {
      scan(scanner, random);
    } finally {
      try {
        TestHdfs.throwPendingError();
      } finally {
        scanner.close();
      }
    }
  }

  private void scan(HFileScanner scanner, Random random) throws IOException {
    int row = random.nextInt(cells.size());
    int found = scanner.seekTo(HFiles.key(row));
    int expected = row;
    if (row == 0) {
      assertThat(found).isEqualTo(-1);
      assertThat(scanner.seekTo()).isTrue();
    } else if (found != HConstants.INDEX_KEY_MAGIC) {
      // The file does not have the key, so the scanner is at the cell before it.
      assertThat(found).isEqualTo(1);
      expected = row - 1;
    }
    for (int i = random.nextInt(MOST_CELLS); i >= 0; i--) {
      assertThat(bytes(scanner)).isEqualTo(cells.get(expected));
      expected++;
      assertThat(scanner.next()).isEqualTo(expected < cells.size());
      if (expected == cells.size()) {
        return;
      }
    }
    if (random.nextBoolean()) {
      scanner.shipped();
    }
  }

  /** Waits until some scans have ended. None of them returned a wrong cell. */
  void awaitScans() throws Exception {
    long before = scans.get();
    Eventually.holds(
        () -> {
          requireNothingWrong();
          assertThat(scans.get()).isGreaterThan(before + SCANS_OF_A_ROUND);
        });
  }

  /** Requires that no scan failed until now. */
  void requireNoFailures() {
    assertThat(failures.get()).as(() -> "failed scans, the last by " + lastFailure).isZero();
  }

  private void requireNothingWrong() {
    if (!wrong.isEmpty()) {
      throw new IllegalStateException("a scan went wrong", wrong.peek());
    }
  }

  @Override
  public void close() throws InterruptedException {
    done = true;
    for (Thread thread : threads) {
      thread.join();
    }
    requireNothingWrong();
  }
}
