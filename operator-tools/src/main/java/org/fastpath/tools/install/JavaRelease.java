package org.fastpath.tools.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fastpath.tools.conf.ConfException;

/** Reads the file {@code release} of a JDK or JRE. */
final class JavaRelease {
  /** The version that our jars are compiled for. */
  static final int NEEDED = 17;

  private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(?:1\\.)?([0-9]+).*");

  private JavaRelease() {}

  /** Returns the feature version, such as 8 or 17; empty if there is no such file or line. */
  static OptionalInt version(Path release) {
    if (!Files.isReadable(release)) {
      return OptionalInt.empty();
    }
    try {
      Matcher matcher = VERSION.matcher(Files.readString(release));
      return matcher.find()
          ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
          : OptionalInt.empty();
    } catch (IOException e) {
      throw new ConfException(release + " cannot be read: " + e.getMessage(), e);
    }
  }
}
