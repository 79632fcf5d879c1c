package org.fastpath.bench;

import java.nio.file.Path;
import java.util.Locale;

/** Finds the libhadoop.so that the build unpacked, for the architecture of this machine. */
final class LibHadoop {
  private LibHadoop() {}

  /** The directory to put on {@code java.library.path}. */
  static Path directory(Path unpacked) {
    return unpacked.resolve("nativelib").resolve("Linux-" + architecture());
  }

  private static String architecture() {
    String name = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return name.equals("arm64") ? "aarch64" : name.equals("x86_64") ? "amd64" : name;
  }
}
