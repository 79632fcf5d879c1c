package org.fastpath.tools.conf;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory into which HBase or Hadoop was unpacked, laid out as in Apache's binary archives.
 *
 * @param product which of the two
 * @param directory the directory itself
 * @param conf its configuration directory, perhaps elsewhere
 */
public record Home(Product product, Path directory, Path conf) {
  /** A product, with the layout of its directory. */
  public enum Product {
    /** HBase. */
    HBASE(
        "HBase",
        "conf",
        "hbase-env.sh",
        "HBASE_HOME",
        "HBASE_CONF_DIR",
        "hbase-server",
        List.of("lib", "lib/client-facing-thirdparty")),
    /** Hadoop. */
    HADOOP(
        "Hadoop",
        "etc/hadoop",
        "hadoop-env.sh",
        "HADOOP_HOME",
        "HADOOP_CONF_DIR",
        "hadoop-common",
        List.of(
            "share/hadoop/common",
            "share/hadoop/common/lib",
            "share/hadoop/hdfs",
            "share/hadoop/hdfs/lib"));

    private final String title;
    private final String conf;
    private final String envFile;
    private final String homeVariable;
    private final String confVariable;
    private final String mainJar;
    private final List<String> libraries;

    Product(
        String title,
        String conf,
        String envFile,
        String homeVariable,
        String confVariable,
        String mainJar,
        List<String> libraries) {
      this.title = title;
      this.conf = conf;
      this.envFile = envFile;
      this.homeVariable = homeVariable;
      this.confVariable = confVariable;
      this.mainJar = mainJar;
      this.libraries = libraries;
    }

    /** Its name: "HBase". */
    public String title() {
      return title;
    }
  }

  /**
   * Returns the installation in a directory.
   *
   * @param conf its configuration directory, null for the usual one
   * @throws ConfException if there is none
   */
  public static Home of(Product product, Path directory, Path conf) {
    Path home = directory.toAbsolutePath().normalize();
    Path configuration = conf == null ? home.resolve(product.conf) : conf.toAbsolutePath();
    for (Path required : List.of(home, configuration)) {
      if (!Files.isDirectory(required)) {
        throw new ConfException(required + " is no directory: " + product.title + " is not there");
      }
    }
    return new Home(product, home, configuration.normalize());
  }

  /** Its env file, whether it is there or not. */
  public Path envFile() {
    return conf.resolve(product.envFile);
  }

  /** One of its site files, whether it is there or not. */
  public Path site(String name) {
    return conf.resolve(name);
  }

  /** Returns the variables that its scripts set before they read the env file. */
  public Map<String, String> variables() {
    return Map.of(
        product.homeVariable, directory.toString(), product.confVariable, conf.toString());
  }

  /** Returns the jar that the version is read from: hbase-server or hadoop-common. */
  public Optional<Path> mainJar() {
    return jar(libraries().get(0), product.mainJar);
  }

  /**
   * Returns the version in the name of its main jar, or of the file to which the jar links. Returns
   * empty if there is no such jar, and "" if no name contains a version.
   */
  public Optional<String> version() {
    return mainJar().map(this::versionOf);
  }

  private String versionOf(Path jar) {
    String version = version(jar, product.mainJar);
    if (!version.isEmpty()) {
      return version;
    }
    try {
      String real = version(jar.toRealPath(), product.mainJar);
      return real == null ? "" : real;
    } catch (IOException e) {
      throw new ConfException(jar + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the directories whose jars its daemons load. */
  public List<Path> libraries() {
    return product.libraries.stream().map(directory::resolve).toList();
  }

  /** Returns the jar of an artifact in a directory, in any version. */
  public static Optional<Path> jar(Path directory, String artifact) {
    return jars(directory, artifact).stream().findFirst();
  }

  /** Returns all jars of an artifact in a directory, in the order of their names. */
  public static List<Path> jars(Path directory, String artifact) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, artifact + "*.jar")) {
      for (Path jar : jars) {
        if (version(jar, artifact) != null) {
          found.add(jar);
        }
      }
    } catch (IOException e) {
      throw new ConfException(directory + " cannot be listed: " + e.getMessage(), e);
    }
    found.sort(null);
    return found;
  }

  /**
   * Returns the version in a jar's name, "" without one, null for another artifact or its tests.
   */
  private static String version(Path jar, String artifact) {
    Pattern name = Pattern.compile(Pattern.quote(artifact) + "(-(\\d.*?))?\\.jar");
    Matcher matcher = name.matcher(jar.getFileName().toString());
    if (!matcher.matches() || jar.getFileName().toString().matches(".*-(tests|sources)\\.jar")) {
      return null;
    }
    return matcher.group(2) == null ? "" : matcher.group(2);
  }
}
