package org.fastpath.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Splits free memory into pieces that are too small for a virtual machine to return to its host.
 *
 * <p>With free page reporting, a guest returns pieces of 2 MB some seconds after they were freed.
 * The process that writes such a piece next uses up to three times the CPU time for the write. So
 * the CPU time of equal work depends on chance. Here the page cache keeps one page in each
 * megabyte. The kernel takes memory from the smallest pieces first.
 *
 * <p>The pages are those of files without content, so nothing is written to a disk. The kernel may
 * take the pages back at any time, so no process lacks memory. Without free page reporting, or
 * where the directory is in memory, this only costs some seconds.
 */
public final class FreeMemory {
  private static final int PAGE_BYTES = 4 << 10;
  private static final int PAGES_OF_A_MEGABYTE = 256;

  private FreeMemory() {}

  /**
   * Splits so many megabytes, at most a quarter of the available memory. It remains split until the
   * file is deleted.
   *
   * @param file becomes as long as the memory that was split, without content
   */
  public static void split(Path file, int megabytes) throws IOException {
    long pages = Math.min(megabytes, MemoryCheck.availableBytes() >> 22) * PAGES_OF_A_MEGABYTE;
    Path freed = file.resolveSibling(file.getFileName() + ".freed");
    ByteBuffer page = ByteBuffer.allocateDirect(PAGE_BYTES);
    try (FileChannel most = hole(freed, pages);
        FileChannel few = hole(file, pages)) {
      // Backwards, because the kernel takes larger pieces for consecutive pages.
      for (long i = pages - 1; i >= 0; i--) {
        most.read(page.clear(), i * PAGE_BYTES);
        if (i % PAGES_OF_A_MEGABYTE == 0) {
          few.read(page.clear(), i * PAGE_BYTES);
        }
      }
    } finally {
      Files.deleteIfExists(freed);
    }
  }

  private static FileChannel hole(Path file, long pages) throws IOException {
    try (RandomAccessFile hole = new RandomAccessFile(file.toFile(), "rw")) {
      hole.setLength(pages * PAGE_BYTES);
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }
}
