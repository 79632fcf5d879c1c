package org.fastpath.common.guard;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Finds the class files that a class loader would load, except those of our jars.
 *
 * <p>A patch precedes the upstream class of its name on the class path, so the upstream class is
 * the next one of the name. A feature of one jar of ours may rely on a class that another one
 * patches, so all of our jars are skipped. Each of them has a marker among its resources.
 */
final class ClassPathSource implements ClassSource {
  /** In each jar of ours, beside the lists of the code that its features rely on. */
  static final String MARKER_FILE = "ours";

  private static final String MARKER = "META-INF/fastpath/" + MARKER_FILE;

  private final ClassLoader loader;

  /** Prefixes or parts of the addresses of our classes, such as {@code file:/lib/x.jar}. */
  private final List<String> own;

  ClassPathSource(Class<?> ours) {
    this(
        ours.getClassLoader() == null ? ClassLoader.getSystemClassLoader() : ours.getClassLoader());
    CodeSource source = ours.getProtectionDomain().getCodeSource();
    if (source != null && source.getLocation() != null) {
      own.add(source.getLocation().toString());
    }
  }

  ClassPathSource(ClassLoader loader) {
    this.loader = loader;
    own = new ArrayList<>(marked(loader));
  }

  private static List<String> marked(ClassLoader loader) {
    try {
      return Collections.list(loader.getResources(MARKER)).stream()
          .map(URL::toString)
          .map(address -> address.substring(0, address.length() - MARKER.length()))
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  @Override
  public byte[] find(String name) {
    try {
      URL url = url(name + ".class");
      if (url == null) {
        return null;
      }
      try (InputStream in = url.openStream()) {
        return in.readAllBytes();
      }
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns the CRC. The directory of a jar holds it, so no class file of a jar is read. */
  @Override
  public long crc(String name) {
    try {
      URL url = url(name + ".class");
      if (url != null
          && url.getProtocol().equals("jar")
          && url.openConnection() instanceof JarURLConnection jar) {
        return jar.getJarEntry().getCrc();
      }
      return url == null ? 0 : ClassSource.super.crc(name);
    } catch (IOException e) {
      return 0;
    }
  }

  private URL url(String resource) throws IOException {
    URL first = loader.getResource(resource);
    if (first == null || !isOwn(first)) {
      return first;
    }
    return Collections.list(loader.getResources(resource)).stream()
        .filter(url -> !isOwn(url))
        .findFirst()
        .orElse(null);
  }

  private boolean isOwn(URL url) {
    String address = url.toString();
    return own.stream().anyMatch(address::contains);
  }
}
