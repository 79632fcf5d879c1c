package org.fastpath.common.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Class files are found in the jar from which a class loader takes them. */
class ClassPathJarsTest {
  private static final String NAME = "org/apache/hadoop/Found";
  private static final String FILE = NAME + ".class";

  @TempDir private Path folder;

  private final Map<String, String> entries = new LinkedHashMap<>();

  private Path jar(String name, String... attributes) throws IOException {
    Path jar = folder.resolve(name);
    Files.createDirectories(jar.getParent());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      if (attributes.length > 0) {
        write(out, "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n" + lines(attributes));
      }
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        write(out, entry.getKey(), entry.getValue());
      }
    }
    entries.clear();
    return jar;
  }

  private static String lines(String... attributes) {
    return String.join("\r\n", attributes) + "\r\n\r\n";
  }

  private static void write(JarOutputStream out, String name, String content) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(content.getBytes(StandardCharsets.UTF_8));
    out.closeEntry();
  }

  private ClassPathJarsTest with(String name, String content) {
    entries.put(name, content);
    return this;
  }

  private static long crc(Path... path) throws IOException {
    try (ClassPathJars jars = new ClassPathJars(text(path))) {
      return jars.crc(NAME);
    }
  }

  private static String text(Path... path) {
    return Stream.of(path).map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** By a class loader of the JDK, which has the same rules as that of the application. */
  private static long ofLoader(Path... path) throws IOException {
    try (URLClassLoader loader = new URLClassLoader(urls(path), null)) {
      URL url = loader.findResource(FILE);
      JarURLConnection connection = (JarURLConnection) url.openConnection();
      connection.setUseCaches(false);
      long crc = connection.getJarEntry().getCrc();
      connection.getJarFile().close();
      return crc;
    }
  }

  private static URL[] urls(Path... path) throws IOException {
    URL[] urls = new URL[path.length];
    for (int at = 0; at < urls.length; at++) {
      urls[at] = path[at].toUri().toURL();
    }
    return urls;
  }

  private static void assertSame(Path expected, Path... path) throws IOException {
    assertThat(crc(path)).isEqualTo(ofLoader(path)).isEqualTo(crc(expected));
  }

  @Test
  void theFirstJarOfThePathCounts() throws IOException {
    Path empty = with("other", "").jar("empty.jar");
    Path first = with(FILE, "first").jar("first.jar");
    Path second = with(FILE, "second").jar("second.jar");
    assertSame(first, empty, folder.resolve("not-there.jar"), first, second);
    assertSame(second, second, first);
  }

  private static boolean isSearched(Path[] path, Path... searched) throws IOException {
    try (URLClassLoader loader = new URLClassLoader(urls(searched), null);
        ClassPathJars jars = new ClassPathJars(text(path))) {
      return jars.isSearchedBy(loader);
    }
  }

  @Test
  void aPathIsTakenIfTheClassLoaderSearchesItInItsOrder() throws IOException {
    Path one = with("one", "").jar("one.jar", "Created-By: a test");
    Path without = with("other", "").jar("without a manifest.jar");
    Path two = with("two", "").jar("with%20blank and two.jar", "Created-By: a test");
    Path[] path = {one, folder.resolve("not-there.jar"), without, folder, two, one};
    assertThat(isSearched(path, path)).isTrue();
    assertThat(isSearched(path, two, one)).isFalse();
    assertThat(isSearched(new Path[] {one}, one, two)).isFalse();
  }

  @Test
  void aPathIsNotTakenIfAManifestNamesAJarInFrontOfOthers() throws IOException {
    with(FILE, "named").jar("lib/named.jar", "Created-By: a test");
    Path names = with("other", "").jar("names.jar", "Class-Path: lib/named.jar");
    Path last = with(FILE, "last").jar("last.jar", "Created-By: a test");
    Path[] path = {names, last};
    assertThat(isSearched(path, path)).isFalse();
  }

  @Test
  void aLinkToAFolderOfJarsIsFollowed() throws IOException {
    Path jar = with(FILE, "linked").jar("lib/linked.jar", "Created-By: a test");
    Path link = Files.createSymbolicLink(folder.resolve("current"), jar.getParent());
    assertThat(isSearched(new Path[] {link.resolve("linked.jar")}, jar.toRealPath())).isTrue();
  }

  @Test
  void aClassFileForTheRunningReleaseCounts() throws IOException {
    Path jar =
        with(FILE, "base")
            .with("META-INF/versions/9/" + FILE, "9")
            .jar("m.jar", "Multi-Release: true");
    Path nine = with(FILE, "9").jar("nine.jar");
    assertThat(crc(jar)).isEqualTo(crc(nine));
  }

  @Test
  void jarsAndFoldersOfOursAreLeftOut() throws IOException {
    Path ours = with(FILE, "patch").with(ClassPathSource.MARKER, "").jar("ours.jar");
    Path upstream = with(FILE, "upstream").jar("upstream.jar");
    Path marker = folder.resolve("classes").resolve(ClassPathSource.MARKER);
    Files.createDirectories(marker.getParent());
    Files.writeString(marker, "");
    Path classes = folder.resolve("classes");
    Files.createDirectories(classes.resolve(FILE).getParent());
    Files.writeString(classes.resolve(FILE), "patch");
    assertThat(crc(ours, classes, upstream)).isEqualTo(crc(upstream));
  }

  @Test
  void theClassLoaderKnowsOfFoldersAndOfClassFilesThatAreNowhere() throws IOException {
    Path classes = folder.resolve("classes");
    Files.createDirectories(classes.resolve(FILE).getParent());
    Files.writeString(classes.resolve(FILE), "altered");
    Path upstream = with(FILE, "upstream").jar("upstream.jar");
    assertThat(crc(classes, upstream)).isEqualTo(ClassPathJars.UNKNOWN);
    assertThat(crc(upstream, classes)).isEqualTo(ofLoader(upstream));
    assertThat(crc()).isEqualTo(ClassPathJars.UNKNOWN);
  }

  @Test
  void aBrokenJarIsSkipped() throws IOException {
    Path broken = folder.resolve("broken.jar");
    Files.writeString(broken, "no archive");
    Path upstream = with(FILE, "upstream").jar("upstream.jar");
    assertSame(upstream, broken, upstream);
  }

  @Test
  void onTheClassPathOfThisProcessItAgreesWithTheClassLoader() throws Exception {
    ClassLoader loader = ClassPathJarsTest.class.getClassLoader();
    for (String name :
        new String[] {
          "org/objectweb/asm/ClassReader", "org/slf4j/LoggerFactory", "org/junit/jupiter/api/Test"
        }) {
      URL url = loader.getResource(name + ".class");
      long crc = ((JarURLConnection) url.openConnection()).getJarEntry().getCrc();
      assertThat(new ClassPathSource(loader).crc(name)).as(name).isEqualTo(crc);
    }
  }
}
