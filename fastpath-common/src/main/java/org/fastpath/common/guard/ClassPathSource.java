package org.fastpath.common.guard;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

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

  static final String MARKER = "META-INF/fastpath/" + MARKER_FILE;

  private final ClassLoader loader;

  /** Looks CRCs up faster than the class loader; null for a class loader that is not the JDK's. */
  private final ToLongFunction<String> crcs;

  /** A class whose jar is left out; or null. */
  private final Class<?> ours;

  /**
   * Prefixes or parts of the addresses of our classes, such as {@code file:/lib/x.jar}. Null until
   * the class loader is asked for a class file.
   */
  private List<String> own;

  ClassPathSource(Class<?> ours) {
    this(
        ours.getClassLoader() == null ? ClassLoader.getSystemClassLoader() : ours.getClassLoader(),
        ours);
  }

  ClassPathSource(ClassLoader loader) {
    this(loader, null);
  }

  private ClassPathSource(ClassLoader loader, Class<?> ours) {
    this.loader = loader;
    this.ours = ours;
    this.crcs = SharedCrcs.of(loader);
  }

  private List<String> own() {
    if (own == null) {
      own = marked();
      CodeSource source = ours == null ? null : ours.getProtectionDomain().getCodeSource();
      if (source != null && source.getLocation() != null) {
        own.add(source.getLocation().toString());
      }
    }
    return own;
  }

  private List<String> marked() {
    List<String> marked = new ArrayList<>();
    try {
      for (URL url : Collections.list(loader.getResources(MARKER))) {
        String address = url.toString();
        marked.add(address.substring(0, address.length() - MARKER.length()));
      }
    } catch (IOException e) {
      marked.clear();
    }
    return marked;
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
    long crc = crcs == null ? ClassPathJars.UNKNOWN : crcs.applyAsLong(name);
    return crc == ClassPathJars.UNKNOWN ? ofLoader(name) : crc;
  }

  private long ofLoader(String name) {
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
    for (URL url : Collections.list(loader.getResources(resource))) {
      if (!isOwn(url)) {
        return url;
      }
    }
    return null;
  }

  private boolean isOwn(URL url) {
    String address = url.toString();
    for (String each : own()) {
      if (address.contains(each)) {
        return true;
      }
    }
    return false;
  }
}
