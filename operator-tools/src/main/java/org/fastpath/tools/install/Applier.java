package org.fastpath.tools.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import org.fastpath.tools.conf.ConfException;

/**
 * Carries a plan out. A step that fails takes back the steps before it. A file is replaced by a
 * rename, so that it is never half written and a JVM keeps the jar that it has open.
 */
final class Applier {
  private static final String TEMPORARY = ".fastpath-tmp";

  /** Takes a step back. */
  private interface Undo {
    void run() throws IOException;
  }

  private final Deque<Undo> undo = new ArrayDeque<>();

  void apply(Plan plan) throws IOException {
    try {
      for (Plan.Copy copy : plan.copies()) {
        copy(copy);
      }
      for (FileChange change : plan.changes()) {
        change(change);
      }
    } catch (IOException e) {
      takeBack(e);
      throw e;
    }
    for (Path file : plan.removals()) {
      remove(file);
    }
  }

  private void takeBack(IOException failure) {
    while (!undo.isEmpty()) {
      try {
        undo.pop().run();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  private void copy(Plan.Copy copy) throws IOException {
    Path directory = copy.to().getParent();
    if (!Files.exists(directory)) {
      Files.createDirectory(directory);
      undo.push(() -> Files.delete(directory));
    }
    Path temporary = temporary(copy.to());
    Files.copy(copy.from(), temporary, StandardCopyOption.REPLACE_EXISTING);
    Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
    boolean isNew = !Files.exists(copy.to());
    Files.move(temporary, copy.to(), StandardCopyOption.ATOMIC_MOVE);
    if (isNew) {
      undo.push(() -> Files.delete(copy.to()));
    }
  }

  private void change(FileChange change) throws IOException {
    write(change.path(), change.before(), change.after());
    undo.push(() -> write(change.path(), change.after(), change.before()));
  }

  private static void write(Path path, String before, String after) throws IOException {
    Path file = real(path);
    if (after == null) {
      Files.delete(file);
      return;
    }
    Path temporary = temporary(file);
    if (before != null) {
      Files.copy(
          file, temporary, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
    }
    byte[] bytes = after.getBytes(StandardCharsets.ISO_8859_1);
    Files.write(
        temporary,
        bytes,
        StandardOpenOption.CREATE,
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes a jar, and the directory with the last one. */
  private static void remove(Path file) throws IOException {
    Files.deleteIfExists(file);
    try {
      Files.delete(file.getParent());
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      // There are other files in it, or it has gone with an earlier one.
    }
  }

  private static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + TEMPORARY);
  }

  /** The file itself, not a link to it: configuration files are often links. */
  static Path real(Path path) {
    try {
      return Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    } catch (IOException e) {
      throw new ConfException(path + " cannot be resolved: " + e.getMessage(), e);
    }
  }

  static Set<PosixFilePermission> permissions(Path path) {
    try {
      return Files.getPosixFilePermissions(path, new LinkOption[0]);
    } catch (IOException e) {
      throw new ConfException(path + " cannot be read: " + e.getMessage(), e);
    }
  }
}
