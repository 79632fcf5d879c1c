package org.fastpath.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * The libhadoop.so that this module carries for Linux on x86-64 and aarch64. A production node has
 * its own; the local cluster, tests and benchmarks use this one.
 */
public final class NativeLibrary {
  private static final String FILE = "libhadoop.so";

  private NativeLibrary() {}

  /** Returns whether there is a libhadoop for this machine. */
  public static boolean isAvailable() {
    return resource().map(name -> NativeLibrary.class.getResource(name) != null).orElse(false);
  }

  /**
   * Writes libhadoop.so for this machine into {@code directory}, which is created if necessary.
   * Returns the value for {@code -Djava.library.path}.
   *
   * @throws IOException if the library cannot be written
   * @throws UnsupportedOperationException if there is none for this machine, see {@link
   *     #isAvailable()}
   */
  public static Path extractTo(Path directory) throws IOException {
    String name =
        resource()
            .orElseThrow(
                () ->
                    new UnsupportedOperationException(
                        "no libhadoop for " + platform() + ": only for Linux amd64 and aarch64"));
    Files.createDirectories(directory);
    try (InputStream in = NativeLibrary.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new UnsupportedOperationException(name + " is missing from the classpath");
      }
      // A rename, so that a process keeps its mapping of the old file.
      Path temporary = Files.createTempFile(directory, FILE, ".tmp");
      Files.copy(in, temporary, StandardCopyOption.REPLACE_EXISTING);
      Files.move(
          temporary,
          directory.resolve(FILE),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    }
    return directory;
  }

  private static Optional<String> resource() {
    return switch (platform()) {
      case "Linux amd64" -> Optional.of("/nativelib/Linux-amd64/" + FILE);
      case "Linux aarch64" -> Optional.of("/nativelib/Linux-aarch64/" + FILE);
      default -> Optional.empty();
    };
  }

  private static String platform() {
    return System.getProperty("os.name") + " " + System.getProperty("os.arch");
  }
}
