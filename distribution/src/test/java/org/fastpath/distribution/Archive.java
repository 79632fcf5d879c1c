package org.fastpath.distribution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The release archive, unpacked. */
final class Archive {
  private static final Path TAR = Path.of(System.getProperty("archive"));

  private final Path home;

  private Archive(Path home) {
    this.home = home;
  }

  /** Unpacks it into a directory, as an operator does. */
  static Archive unpackedIn(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Commands.Run run =
        Commands.run(
            directory, Map.of(), List.of("tar", "-xzf", TAR.toString(), "-C", directory + ""));
    if (run.exit() != 0) {
      throw new IOException("tar: " + run.printed());
    }
    return new Archive(directory.resolve(TAR.getFileName().toString().replace(".tar.gz", "")));
  }

  Path home() {
    return home;
  }

  /** Returns the jars in lib, in the order of their names. */
  List<Path> jars() {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(home.resolve("lib"))) {
      stream.forEach(jars::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    jars.sort(null);
    return jars;
  }

  /** Runs bin/fastpath, with nothing but a JDK. */
  Commands.Run fastpath(Map<String, String> environment, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(home.resolve("bin/fastpath").toString()));
    command.addAll(arguments);
    return Commands.run(home.getParent(), environment, command);
  }
}
