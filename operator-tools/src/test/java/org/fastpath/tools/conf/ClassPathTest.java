package org.fastpath.tools.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
  @TempDir Path directory;

  @Test
  void aStarStandsForTheJarsOfADirectory() throws IOException {
    Path one = jar("one", "org/x/One.class");
    Path two = jar("two", "org/x/One.class");
    Files.writeString(directory.resolve("readme.txt"), "");
    ClassPath path = ClassPath.of(directory + "/*:", "/does/not/exist.jar");
    assertThat(path.entries()).containsExactly(one, two, Path.of("/does/not/exist.jar"));
    assertThat(path.holding("org.x.One")).containsExactly(one, two);
    assertThat(path.holding("org.x.Two")).isEmpty();
  }

  @Test
  void aJarIsKnownByItsManifest() throws IOException {
    Path one = jar("one");
    assertThat(ClassPath.of(one.toString()).titled(Set.of("one")))
        .containsExactly(new ClassPath.Jar(one, "one", "1.2"));
    assertThat(ClassPath.of(one.toString()).titled(Set.of("two"))).isEmpty();
  }

  /** As install writes HADOOP_CLASSPATH, which cannot hold a blank. */
  @Test
  void aQuestionMarkStandsForACharacter() throws IOException {
    directory = Files.createDirectories(directory.resolve("a home/of jars"));
    Path one = jar("one", "org/x/One.class");
    Path parent = directory.getParent().getParent();
    ClassPath path =
        ClassPath.of(parent + "/a?home/of?jars/one.jar:" + parent + "/a?home/of?jars/*");
    assertThat(path.entries()).containsExactly(one);
    assertThat(ClassPath.of("/no?where/x.jar").entries())
        .containsExactly(Path.of("/no?where/x.jar"));
  }

  private Path jar(String title, String... entries) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, title);
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2");
    Path file = directory.resolve(title + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
      for (String entry : entries) {
        out.putNextEntry(new JarEntry(entry));
      }
    }
    return file;
  }
}
