package org.fastpath.common.guard;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.security.CodeSource;
import java.util.Collections;

/**
 * Finds the class files that a class loader would load, save those of our own jar.
 *
 * <p>A patch stands in front of the upstream class of its name. What it stands for is the next
 * class of the name.
 */
final class ClassPathSource implements ClassSource {
  private final ClassLoader loader;

  /** Where our classes are, such as {@code file:/opt/hbase/lib/x.jar}; null if unknown. */
  private final String own;

  ClassPathSource(Class<?> ours) {
    loader =
        ours.getClassLoader() == null ? ClassLoader.getSystemClassLoader() : ours.getClassLoader();
    CodeSource source = ours.getProtectionDomain().getCodeSource();
    own = source == null || source.getLocation() == null ? null : source.getLocation().toString();
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
    return own != null && url.toString().contains(own);
  }
}
