package org.fastpath.tools.install;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.fastpath.tools.conf.ConfException;
import org.fastpath.tools.conf.Home;

/** The directory with our jars: {@code lib} of the release archive. */
record JarSource(Path directory) {
  private static final String PROPERTY = "fastpath.lib";

  /** Returns the directory that {@code bin/fastpath} names. */
  static JarSource ofThisArchive() {
    String directory = System.getProperty(PROPERTY);
    if (directory == null) {
      throw new ConfException("Run bin/fastpath of the release archive: it knows where lib is.");
    }
    return new JarSource(Path.of(directory));
  }

  /** Returns all jars of ours that are there. */
  List<Path> all() {
    return Catalog.ARTIFACTS.stream()
        .flatMap(artifact -> Home.jars(directory, artifact).stream())
        .toList();
  }

  /** Returns the jars of artifacts. */
  List<Path> jars(Set<String> artifacts) {
    return artifacts.stream().map(this::jar).toList();
  }

  private Path jar(String artifact) {
    Optional<Path> jar = Home.jar(directory, artifact);
    return jar.orElseThrow(
        () -> new ConfException("There is no " + artifact + "*.jar in " + directory + "."));
  }
}
