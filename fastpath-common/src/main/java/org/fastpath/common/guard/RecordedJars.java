package org.fastpath.common.guard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Finds classes in upstream jars of chosen versions.
 *
 * <p>Not all artifacts of a version are published everywhere. Those of the primary version stand in
 * for the ones that are not there, behind those that are.
 */
public final class RecordedJars implements ClassSource, AutoCloseable {
  private final List<JarFile> jars = new ArrayList<>();

  /**
   * Opens jars.
   *
   * @param folder holds {@code <artifact>-<version>.jar}
   * @param versions of an artifact that has several of them, the first one counts
   */
  public RecordedJars(Path folder, List<String> versions) throws IOException {
    Set<String> artifacts = new HashSet<>();
    for (String version : versions) {
      String end = "-" + version + ".jar";
      try (Stream<Path> files = Files.list(folder)) {
        for (Path jar : files.filter(file -> file.toString().endsWith(end)).sorted().toList()) {
          String name = jar.getFileName().toString();
          if (artifacts.add(name.substring(0, name.length() - end.length()))) {
            jars.add(new JarFile(jar.toFile()));
          }
        }
      }
    }
  }

  @Override
  public byte[] find(String name) {
    for (JarFile jar : jars) {
      ZipEntry entry = jar.getEntry(name + ".class");
      if (entry != null) {
        try (InputStream in = jar.getInputStream(entry)) {
          return in.readAllBytes();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return null;
  }

  @Override
  public long crc(String name) {
    for (JarFile jar : jars) {
      ZipEntry entry = jar.getEntry(name + ".class");
      if (entry != null) {
        return entry.getCrc();
      }
    }
    return 0;
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
  }
}
