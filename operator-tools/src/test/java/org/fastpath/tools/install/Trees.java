package org.fastpath.tools.install;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Directories laid out as Apache's archives of HBase and Hadoop, without their classes. */
final class Trees {
  static final String SITE =
      """
      <?xml version="1.0"?>
      <!-- <configuration> of a site -->
      <configuration>
        <property>
          <name>%s</name>
          <value>%s</value>
        </property>
      </configuration>
      """;

  private static final String RECORD = "hadoop 3.4.2 3.4.3\nhbase 2.6.4-hadoop3 2.6.5\n";

  private final Path root;

  Trees(Path root) {
    this.root = root;
    jar("hbase home/lib/hbase-server-2.6.4-hadoop3.jar");
    write("hbase home/conf/hbase-env.sh", "export HBASE_HEAPSIZE=1g\n");
    write("hbase home/conf/hbase-site.xml", String.format(SITE, "hbase.rootdir", "hdfs://x/hbase"));
    jar("hadoop home/share/hadoop/common/hadoop-common-3.4.2.jar");
    write("hadoop home/lib/native/libhadoop.so", "");
    write("hadoop home/etc/hadoop/hadoop-env.sh", "# nothing\r\n# at all");
    write("hadoop home/etc/hadoop/core-site.xml", String.format(SITE, "fs.defaultFS", "hdfs://x"));
    write(
        "hadoop home/etc/hadoop/hdfs-site.xml",
        String.format(SITE, Catalog.DOMAIN_SOCKET, root.resolve("socket")));
    Catalog.ARTIFACTS.forEach(
        artifact -> jar("archive/lib/" + artifact + "-0.2.0.jar", Versions.RECORD, RECORD));
  }

  Path hbase() {
    return root.resolve("hbase home");
  }

  Path hadoop() {
    return root.resolve("hadoop home");
  }

  Path jars() {
    return root.resolve("archive/lib");
  }

  Path path(String name) {
    return root.resolve(name);
  }

  void write(String name, String text) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read(String name) {
    try {
      return Files.readString(root.resolve(name), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void hbaseSite(String key, String value) {
    write("hbase home/conf/hbase-site.xml", String.format(SITE, key, value));
  }

  void hdfsSite(String key, String value) {
    write("hadoop home/etc/hadoop/hdfs-site.xml", String.format(SITE, key, value));
  }

  void jar(String name) {
    jar(name, "entry", "");
  }

  private void jar(String name, String entry, String text) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (JarOutputStream jar = new JarOutputStream(bytes, new Manifest())) {
        jar.putNextEntry(new ZipEntry(entry));
        jar.write(text.getBytes(StandardCharsets.UTF_8));
      }
      write(name, bytes.toString(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each file with its permissions and bytes, each directory with its permissions. */
  Map<String, String> snapshot() {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        String content =
            Files.isDirectory(path) ? "" : Files.readString(path, StandardCharsets.ISO_8859_1);
        files.put(root.relativize(path).toString(), permissions + " " + content);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }
}
