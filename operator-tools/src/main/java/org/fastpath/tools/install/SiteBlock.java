package org.fastpath.tools.install;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.fastpath.tools.conf.Site;
import org.fastpath.tools.conf.SiteProperty;
import org.fastpath.tools.conf.Sizes;

/**
 * Writes the lines of one site file. For a key that is already set, the {@link Setting.Rule}
 * decides: it is kept, extended or rejected.
 */
final class SiteBlock {
  private final Site outside;
  private final Refusals refusals;
  private final Map<String, List<Setting>> byKey = new LinkedHashMap<>();

  SiteBlock(Site outside, Refusals refusals, List<Setting> settings) {
    this.outside = outside;
    this.refusals = refusals;
    for (Setting setting : settings) {
      byKey.computeIfAbsent(setting.key(), key -> new ArrayList<>()).add(setting);
    }
  }

  /** Returns the lines; empty if no key has to be set. */
  Optional<String> body() {
    List<String> lines = new ArrayList<>();
    byKey.forEach((key, settings) -> value(key, settings).ifPresent(v -> add(lines, settings, v)));
    return lines.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", lines));
  }

  private static void add(List<String> to, List<Setting> settings, String value) {
    Set<String> purposes = new LinkedHashSet<>();
    settings.forEach(setting -> purposes.add(setting.module().purpose()));
    to.add("  <!-- " + String.join("; ", purposes) + " -->");
    to.add("  <property>");
    to.add("    <name>" + settings.get(0).key() + "</name>");
    to.add("    <value>" + escaped(value) + "</value>");
    to.add("  </property>");
  }

  private static String escaped(String value) {
    return value
        .chars()
        .mapToObj(
            c ->
                c == '<' || c == '>' || c == '&' || c < ' ' || c > '~'
                    ? "&#" + c + ";"
                    : Character.toString(c))
        .collect(Collectors.joining());
  }

  /** Returns the value to set; empty if the key is left as it is. */
  private Optional<String> value(String key, List<Setting> settings) {
    Optional<SiteProperty> theirs = outside.property(key).filter(p -> !p.value().isEmpty());
    Setting first = settings.get(0);
    return switch (first.rule()) {
      case CLASS_LIST -> list(theirs, settings);
      case SINGLE_CLASS -> theirs.isEmpty() ? Optional.of(first.value()) : single(theirs.get());
      case REQUIRED -> theirs.isEmpty() ? Optional.of(first.value()) : same(theirs.get(), first);
      case UNTAKEN -> theirs.isEmpty() ? Optional.empty() : single(theirs.get());
    };
  }

  private Optional<String> list(Optional<SiteProperty> theirs, List<Setting> settings) {
    Set<String> classes = new LinkedHashSet<>(outside.list(settings.get(0).key()));
    int before = classes.size();
    settings.forEach(setting -> classes.add(setting.value()));
    if (classes.size() == before) {
      return Optional.empty();
    }
    theirs
        .filter(SiteProperty::isFinal)
        .ifPresent(
            fixed ->
                refusals.add(
                    fixed.name()
                        + " is final ("
                        + fixed.place()
                        + "), so nothing can be appended: take the final away, or leave out "
                        + modules(settings)
                        + "."));
    return Optional.of(String.join(",", classes));
  }

  private static String modules(List<Setting> settings) {
    return Module.labels(settings.stream().map(Setting::module).distinct().toList());
  }

  private Optional<String> single(SiteProperty theirs) {
    if (!Catalog.isOurs(theirs.value())) {
      refusals.add(
          String.format(
              "%s is %s (%s), and holds one class only: remove it, or leave out %s.",
              theirs.name(), theirs.value(), theirs.place(), modules(byKey.get(theirs.name()))));
    }
    return Optional.empty();
  }

  private Optional<String> same(SiteProperty theirs, Setting wanted) {
    if (!theirs.value().equals(wanted.value()) && !sameSize(theirs.value(), wanted.value())) {
      refusals.add(
          String.format(
              "%s is %s (%s), but %s needs %s: change it, or leave out %s.",
              theirs.name(),
              theirs.value(),
              theirs.place(),
              wanted.module().label(),
              wanted.value(),
              wanted.module().label()));
    }
    return Optional.empty();
  }

  private static boolean sameSize(String one, String other) {
    OptionalLong bytes = Sizes.parse(one);
    return bytes.isPresent() && bytes.equals(Sizes.parse(other));
  }
}
