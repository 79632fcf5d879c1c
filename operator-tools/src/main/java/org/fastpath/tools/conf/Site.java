package org.fastpath.tools.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The properties that a process reads from its site files.
 *
 * <p>The last file that sets a property wins, unless an earlier one made the property final. Values
 * may refer to other properties, {@code ${user.name}}, and to the environment, {@code ${env.HOME}}.
 */
public final class Site {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^${}]+)}");
  private static final int EXPANSIONS = 20;

  private final List<SiteProperty> all;
  private final Map<String, SiteProperty> effective = new LinkedHashMap<>();

  private Site(List<SiteProperty> all) {
    this.all = List.copyOf(all);
    for (SiteProperty property : all) {
      effective.merge(property.name(), property, (old, next) -> old.isFinal() ? old : next);
    }
  }

  /** Reads the files of those names in a directory, in this order; a missing file is empty. */
  public static Site read(Path directory, String... names) throws IOException {
    List<SiteProperty> properties = new ArrayList<>();
    for (String name : names) {
      Path file = directory.resolve(name);
      if (Files.exists(file)) {
        properties.addAll(SiteFile.read(file));
      }
    }
    return new Site(properties);
  }

  /** Returns a site of those properties. */
  public static Site of(List<SiteProperty> properties) {
    return new Site(properties);
  }

  /** Every property that stands in a file, in order. */
  public List<SiteProperty> all() {
    return all;
  }

  /** Returns the properties that count, one for each name. */
  public Collection<SiteProperty> effective() {
    return effective.values();
  }

  /** Returns the property that counts for a name. */
  public Optional<SiteProperty> property(String name) {
    return Optional.ofNullable(effective.get(name));
  }

  /** Returns its value, with variables expanded; empty if it is empty or not set. */
  public Optional<String> value(String name) {
    return property(name).map(SiteProperty::value).map(this::expand).filter(v -> !v.isEmpty());
  }

  /** Returns its value, or a default. */
  public String value(String name, String otherwise) {
    return value(name).orElse(otherwise);
  }

  /** Returns the parts of a value that lists names behind commas. */
  public List<String> list(String name) {
    return Arrays.stream(value(name, "").split(","))
        .map(String::trim)
        .filter(part -> !part.isEmpty())
        .toList();
  }

  private String expand(String value) {
    String text = value;
    for (int i = 0; i < EXPANSIONS; i++) {
      String next = VARIABLE.matcher(text).replaceAll(this::replacement);
      if (next.equals(text)) {
        break;
      }
      text = next;
    }
    return text;
  }

  /** Returns the value of a variable. An unset variable stays as it is, like in Hadoop. */
  private String replacement(MatchResult match) {
    return Matcher.quoteReplacement(variable(match.group(1)).orElse(match.group()));
  }

  private Optional<String> variable(String name) {
    if (name.startsWith("env.")) {
      return Optional.ofNullable(System.getenv(name.substring("env.".length())));
    }
    Optional<String> system = Optional.ofNullable(System.getProperty(name));
    return system.isPresent() ? system : property(name).map(SiteProperty::value);
  }
}
