package org.fastpath.common;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** Knows the version of the jar that carries this class. */
public final class JarVersion {
  private static final String RESOURCE = "version.properties";

  /** The version, such as {@code 0.2.0}; {@code unknown} if the jar does not say it. */
  public static final String VALUE = read();

  private JarVersion() {}

  private static String read() {
    try (InputStream in = JarVersion.class.getResourceAsStream(RESOURCE)) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "unknown");
    } catch (IOException | RuntimeException e) {
      return "unknown";
    }
  }
}
