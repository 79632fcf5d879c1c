package org.fastpath.tools.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.fastpath.tools.conf.ConfException;
import org.fastpath.tools.conf.EnvFile;
import org.fastpath.tools.conf.Home;
import org.fastpath.tools.conf.MarkedBlock;
import org.fastpath.tools.conf.Site;
import org.fastpath.tools.conf.SiteFile;
import org.fastpath.tools.conf.SiteProperty;

/** Reads the configuration of an installation without the lines between our markers. */
final class Outside {
  static final MarkedBlock XML = new MarkedBlock(MarkedBlock.Syntax.XML);
  static final MarkedBlock SHELL = new MarkedBlock(MarkedBlock.Syntax.SHELL);

  private Outside() {}

  /** Returns the properties that the product's daemons see of these site files, in this order. */
  static Site site(Home home, List<String> names) {
    List<SiteProperty> properties = new ArrayList<>();
    for (String name : names) {
      Path file = home.site(name);
      if (Files.exists(file)) {
        properties.addAll(properties(file));
      }
    }
    if (home.product() == Home.Product.HBASE) {
      properties.removeIf(SiteProperty::isHiddenFromHBase);
    }
    return Site.of(properties);
  }

  /** Returns the same with hidden properties and with the lines between our markers. */
  static Site whole(Home home, List<String> names) {
    try {
      return Site.read(home.conf(), names.toArray(String[]::new));
    } catch (IOException e) {
      throw new ConfException(e.getMessage(), e);
    }
  }

  private static List<SiteProperty> properties(Path file) {
    String text = FileChange.text(file);
    String plain = about(file, () -> XML.blanked(text));
    try {
      return SiteFile.read(plain.getBytes(StandardCharsets.ISO_8859_1), file);
    } catch (IOException e) {
      throw new ConfException(e.getMessage(), e);
    }
  }

  /** Returns the variables of the env file. */
  static EnvFile env(Home home) {
    Path file = home.envFile();
    String text = FileChange.text(file);
    String plain = text == null ? "" : about(file, () -> SHELL.blanked(text));
    return EnvFile.of(file, plain, home.variables());
  }

  /** Runs a check of a file's text, and adds the file's name to its error. */
  static <T> T about(Path file, Supplier<T> work) {
    try {
      return work.get();
    } catch (ConfException e) {
      throw new ConfException(file + " stays as it is: " + e.getMessage() + ".", e);
    }
  }
}
