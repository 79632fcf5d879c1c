package org.fastpath.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Makes small jars. */
final class Jars {
  private Jars() {}

  /** Returns a jar with one class of the test classpath. */
  static Path ofClass(Path jar, Class<?> content) throws IOException {
    String name = content.getName().replace('.', '/') + ".class";
    try (InputStream in = content.getResourceAsStream("/" + name)) {
      return of(jar, name, in.readAllBytes());
    }
  }

  /** Returns a jar with one entry. */
  static Path of(Path jar, String entry, byte... bytes) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(entry));
      out.write(bytes);
    }
    return jar;
  }

  /** Returns a jar with nothing but a reference to others. */
  static Path referringTo(Path jar, String classPath) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }
}
