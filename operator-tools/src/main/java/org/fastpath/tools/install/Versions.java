package org.fastpath.tools.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.fastpath.tools.conf.ConfException;
import org.fastpath.tools.conf.Home;

/**
 * Refuses versions of HBase and Hadoop that no feature was verified with. Each of our jars has a
 * record of its versions, from which its features decide, too.
 */
final class Versions {
  static final String RECORD = "META-INF/fastpath/versions";

  /** Builds of one version for Hadoop 2 and Hadoop 3 have the same code of HBase. */
  private static final String FOR_HADOOP_3 = "-hadoop3";

  private final List<Path> jars;

  /** By the records of these jars. */
  Versions(List<Path> jars) {
    this.jars = jars;
  }

  /**
   * Returns the versions that some feature was verified with, as they are called in the records.
   */
  private Set<String> verified(Home.Product product) {
    String family = product.title().toLowerCase(Locale.ROOT) + " ";
    Set<String> versions = new LinkedHashSet<>();
    for (Path jar : jars) {
      record(jar)
          .lines()
          .filter(line -> line.startsWith(family))
          .flatMap(line -> Arrays.stream(line.substring(family.length()).split(" ")))
          .filter(version -> !version.isEmpty())
          .forEach(versions::add);
    }
    return versions;
  }

  private static String record(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      ZipEntry entry = file.getEntry(RECORD);
      if (entry == null) {
        return "";
      }
      try (InputStream in = file.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new ConfException(jar + " cannot be read: " + e.getMessage(), e);
    }
  }

  void require(Home home, Refusals refusals) {
    String title = home.product().title();
    Optional<String> version = home.version();
    Set<String> verified = verified(home.product());
    if (version.isEmpty()) {
      refusals.add("There is no jar of " + title + " in " + home.directory() + ".");
    } else if (version.get().isEmpty()) {
      refusals.add(
          String.format(
              "The name of %s does not tell the version of %s: verified are %s.",
              home.mainJar().orElseThrow(), title, String.join(", ", verified)));
    } else if (verified.stream().noneMatch(known -> same(known, version.get()))) {
      refusals.add(
          String.format(
              "%s %s in %s is not known: verified are %s.",
              title, version.get(), home.directory(), String.join(", ", verified)));
    }
  }

  private static boolean same(String known, String version) {
    return known.replace(FOR_HADOOP_3, "").equals(version.replace(FOR_HADOOP_3, ""));
  }
}
