package org.fastpath.tiered.regionserver.advise;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.fastpath.tiered.InvalidValueException;
import org.fastpath.tiered.Values;

/** The command's options, each a name with a value. Immutable. */
final class AdviseOptions {
  static final String CONF = "--conf";
  static final String PROBE = "--probe";
  static final String PROBE_SIZE = "--probe-size";
  static final String PROBE_DIRECTORY = "--probe-directory";
  static final String HEAP = "--heap";
  static final String CORES = "--cores";
  static final String SERVERS = "--servers";

  private static final Set<String> WITH_VALUE =
      Set.of(CONF, Bandwidth.OPTION, PROBE_SIZE, PROBE_DIRECTORY, HEAP, CORES, SERVERS);

  private final Map<String, String> values;

  private AdviseOptions(Map<String, String> values) {
    this.values = Map.copyOf(values);
  }

  /** Parses the options. Returns empty if they have another form. */
  static Optional<AdviseOptions> of(List<String> args) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < args.size(); i++) {
      String name = args.get(i);
      if (name.equals(PROBE)) {
        values.put(name, "");
      } else if (WITH_VALUE.contains(name) && i + 1 < args.size()) {
        values.put(name, args.get(++i));
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new AdviseOptions(values));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  /** Returns a whole number, which may have a suffix as in {@code 64m}. */
  long whole(String name, long otherwise, long least, long most) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    return Values.whole(value, least, most)
        .orElseThrow(
            () ->
                new InvalidValueException(
                    name,
                    value,
                    "a number from " + least + " to " + most + ", or with a suffix such as m"));
  }
}
