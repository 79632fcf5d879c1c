package org.fastpath.tools.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.fastpath.tools.conf.Home;

/** Refuses versions of HBase and Hadoop that nothing was verified with. */
final class Versions {
  private final Properties verified = new Properties();

  Versions() {
    try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
      verified.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The versions that were verified. */
  List<String> verified(Home.Product product) {
    return List.of(verified.getProperty(product.title()).split(","));
  }

  void require(Home home, Refusals refusals) {
    String title = home.product().title();
    Optional<String> version = home.version();
    if (version.isEmpty()) {
      refusals.add("There is no jar of " + title + " in " + home.directory() + ".");
    } else if (!verified(home.product()).contains(version.get())) {
      refusals.add(
          String.format(
              "%s %s in %s is not known: verified are %s.",
              title, version.get(), home.directory(), String.join(", ", verified(home.product()))));
    }
  }
}
