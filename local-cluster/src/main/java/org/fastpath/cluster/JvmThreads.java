package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Reads the kernel's files about the threads of a JVM. Stateless. */
final class JvmThreads {
  /** Linux cuts names of threads after 15 characters. */
  private static final String COMPILER = "C[12] CompilerThre\\n";

  private JvmThreads() {}

  /** Reads the directory of a thread. */
  interface Reader<T> {
    T read(Path thread) throws IOException;
  }

  /** Returns the directory with those of a process's threads. */
  static Path of(long pid) {
    return Path.of("/proc", Long.toString(pid), "task");
  }

  /**
   * Reads the threads of the JIT compiler, or all others. Leaves out those that end meanwhile.
   *
   * @return what was read of each thread, by its id
   * @throws IOException if there is no such process
   */
  static <T> Map<String, T> read(Path tasks, boolean compiler, Reader<T> reader)
      throws IOException {
    Map<String, T> read = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        try {
          if (Files.readString(thread.resolve("comm")).matches(COMPILER) == compiler) {
            read.put(thread.getFileName().toString(), reader.read(thread));
          }
        } catch (IOException e) {
          // The thread has ended meanwhile. The kernel may say so by two errors.
        }
      }
    }
    return read;
  }
}
