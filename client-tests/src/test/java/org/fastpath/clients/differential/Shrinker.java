package org.fastpath.clients.differential;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Shrinks a failing program. First it removes operations by delta debugging (Zeller and
 * Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28, 2002). Then it
 * removes arguments and parts of lists, and halves numbers.
 */
final class Shrinker {
  private static final int CUT = 2;

  private final Predicate<List<Line>> fails;
  private final BooleanSupplier goesOn;

  /**
   * Creates a shrinker.
   *
   * @param fails whether a program still shows the difference
   * @param goesOn false when the time is over; then the result is the smallest program so far
   */
  Shrinker(Predicate<List<Line>> fails, BooleanSupplier goesOn) {
    this.fails = fails;
    this.goesOn = goesOn;
  }

  /** Returns the smallest program that it finds. */
  List<Line> shrink(List<Line> program) {
    List<Line> current = withoutOperations(program);
    List<Line> simpler = simplified(current);
    while (!simpler.equals(current) && goesOn.getAsBoolean()) {
      current = withoutOperations(simpler);
      simpler = simplified(current);
    }
    return simpler;
  }

  private List<Line> withoutOperations(List<Line> program) {
    List<Line> current = program;
    int parts = Math.min(CUT, current.size());
    while (current.size() > 1 && goesOn.getAsBoolean()) {
      List<Line> smaller = withoutPart(current, parts);
      if (smaller.size() < current.size()) {
        current = smaller;
        parts = Math.max(CUT, parts - 1);
      } else if (parts == current.size()) {
        return current;
      } else {
        parts = Math.min(current.size(), CUT * parts);
      }
    }
    return current;
  }

  /**
   * Returns the program without one of the given number of parts, the last ones first. If it needs
   * all parts, returns the program itself.
   */
  private List<Line> withoutPart(List<Line> program, int parts) {
    for (int part = parts - 1; part >= 0 && goesOn.getAsBoolean(); part--) {
      int from = part * program.size() / parts;
      int to = (part + 1) * program.size() / parts;
      List<Line> rest = new ArrayList<>(program.subList(0, from));
      rest.addAll(program.subList(to, program.size()));
      if (!rest.isEmpty() && fails.test(rest)) {
        return rest;
      }
    }
    return program;
  }

  private List<Line> simplified(List<Line> program) {
    List<Line> current = new ArrayList<>(program);
    for (int i = 0; i < current.size(); i++) {
      boolean found = true;
      while (found && goesOn.getAsBoolean()) {
        found = replaced(current, i);
      }
    }
    return current;
  }

  private boolean replaced(List<Line> program, int index) {
    for (Line simpler : simpler(program.get(index))) {
      if (!goesOn.getAsBoolean()) {
        return false;
      }
      List<Line> changed = new ArrayList<>(program);
      changed.set(index, simpler);
      if (fails.test(changed)) {
        program.set(index, simpler);
        return true;
      }
    }
    return false;
  }

  /** Returns the lines that are one step simpler. */
  static Set<Line> simpler(Line line) {
    Set<Line> lines = new LinkedHashSet<>();
    line.arguments().keySet().forEach(name -> lines.add(line.without(name)));
    line.arguments()
        .forEach((name, value) -> values(name, value).forEach(v -> lines.add(line.with(name, v))));
    return lines;
  }

  private static List<String> values(String name, String value) {
    List<String> values = new ArrayList<>();
    if (value.matches("\\d{1,9}")) {
      long number = Long.parseLong(value);
      if (number > 1) {
        values.add(Long.toString(number / CUT));
        values.add(Long.toString(number - 1));
      }
    } else if (name.equals("filter")) {
      values.addAll(Filters.simpler(value));
    } else if (value.indexOf(',') > 0) {
      List<String> parts = List.of(value.split(","));
      for (int i = 0; i < parts.size(); i++) {
        List<String> rest = new ArrayList<>(parts);
        rest.remove(i);
        values.add(String.join(",", rest));
      }
    } else if (value.matches("\\d+-\\d+")) {
      long from = Long.parseLong(value.substring(0, value.indexOf('-')));
      long to = Long.parseLong(value.substring(value.indexOf('-') + 1));
      if (to - from > 1) {
        long middle = (from + to) / CUT;
        values.add(from + "-" + middle);
        values.add(middle + "-" + to);
      }
    }
    return values;
  }
}
