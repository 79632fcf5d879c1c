package org.fastpath.tools.install;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Everything that an installation or its removal does, in this order. */
final class Plan {
  /** A jar to copy. An equal existing jar is not copied. */
  record Copy(Path from, Path to) {}

  private final List<Copy> copies = new ArrayList<>();
  private final List<FileChange> changes = new ArrayList<>();
  private final List<Path> removals = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  void copy(Path from, Path to) {
    copies.add(new Copy(from, to));
  }

  void change(FileChange change) {
    if (!change.isNone()) {
      changes.add(change);
    }
  }

  void remove(Path file) {
    removals.add(file);
  }

  void note(String line) {
    notes.add(line);
  }

  List<Copy> copies() {
    return copies;
  }

  List<FileChange> changes() {
    return changes;
  }

  List<Path> removals() {
    return removals;
  }

  List<String> notes() {
    return notes;
  }

  boolean isEmpty() {
    return copies.isEmpty() && changes.isEmpty() && removals.isEmpty();
  }

  /** Returns the plan for an operator: jars, then a diff of each file. */
  String describe() {
    StringBuilder text = new StringBuilder();
    copies.forEach(copy -> text.append("copy   ").append(copy.to()).append('\n'));
    changes.forEach(change -> text.append(change.diff()));
    removals.forEach(file -> text.append("remove ").append(file).append('\n'));
    return text.toString();
  }
}
