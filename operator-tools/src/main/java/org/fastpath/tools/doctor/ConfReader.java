package org.fastpath.tools.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fastpath.tools.conf.ClassPath;
import org.fastpath.tools.conf.EnvFile;
import org.fastpath.tools.conf.Home;
import org.fastpath.tools.conf.Site;

/** Reads configuration directories and installations. */
final class ConfReader {
  private final List<ConfDirectory> directories = new ArrayList<>();
  private final List<Problem> unreadable = new ArrayList<>();

  /** Returns the directories that could be read. */
  List<ConfDirectory> directories() {
    return directories;
  }

  /** Returns the problems of unreadable directories. */
  List<Problem> unreadable() {
    return unreadable;
  }

  /** Reads an installation: its configuration, and the jars on its class path. */
  void home(Home home) {
    boolean hbase = home.product() == Home.Product.HBASE;
    try {
      EnvFile env = EnvFile.read(home.envFile(), home.variables());
      Site site = site(home.conf(), hbase);
      ClassPath path = hbase ? hbasePath(home, env) : hadoopPath(home, env);
      directories.add(new ConfDirectory(home.conf(), hbase, site, env, Optional.of(path)));
    } catch (IOException e) {
      unreadable(home.conf(), e);
    }
  }

  /** Reads a configuration directory alone. */
  void directory(Path directory, boolean hbase) {
    try {
      if (!Files.isDirectory(directory)) {
        throw new IOException(directory + " is no directory");
      }
      Path envFile = directory.resolve(hbase ? "hbase-env.sh" : "hadoop-env.sh");
      EnvFile env = EnvFile.read(envFile, Map.of());
      Site site = site(directory, hbase);
      directories.add(new ConfDirectory(directory, hbase, site, env, Optional.empty()));
    } catch (IOException e) {
      unreadable(directory, e);
    }
  }

  private void unreadable(Path directory, IOException why) {
    String message = why.getMessage() == null ? why.toString() : why.getMessage();
    unreadable.add(
        new Problem(
            Kind.UNREADABLE_FILE,
            directory.toString(),
            "It cannot be read: " + message.lines().findFirst().orElse(""),
            "xmllint --noout " + directory + "/*.xml"));
  }

  private static Site site(Path directory, boolean hbase) throws IOException {
    return hbase
        ? Site.read(directory, RemedyLine.CORE_SITE, RemedyLine.HDFS_SITE, RemedyLine.HBASE_SITE)
        : Site.read(directory, RemedyLine.CORE_SITE, RemedyLine.HDFS_SITE);
  }

  /** Returns the class path in the order of HBase's script. */
  private static ClassPath hbasePath(Home home, EnvFile env) throws IOException {
    return ClassPath.of(
        env.value("HBASE_CLASSPATH_PREFIX"),
        home.conf().toString(),
        home.directory() + "/lib/*",
        env.value("HBASE_CLASSPATH"));
  }

  /** Returns the class path in the order of Hadoop's script. */
  private static ClassPath hadoopPath(Home home, EnvFile env) throws IOException {
    String own = env.value("HADOOP_CLASSPATH");
    boolean first = !env.value("HADOOP_USER_CLASSPATH_FIRST").isEmpty();
    List<String> paths = new ArrayList<>(List.of(first ? own : "", home.conf().toString()));
    for (String part : List.of("common/lib", "common", "hdfs", "hdfs/lib")) {
      paths.add(home.directory() + "/share/hadoop/" + part + "/*");
    }
    paths.add(first ? "" : own);
    return ClassPath.of(paths.toArray(String[]::new));
  }
}
