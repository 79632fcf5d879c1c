package org.fastpath.tools.install;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardOpenOption.DSYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.fastpath.tools.conf.ConfException;

/**
 * Carries out a plan. A failed step undoes the steps before it. A file is replaced by a rename, so
 * it is never half written and a JVM keeps its open jar.
 */
final class Applier {
  private static final String TEMPORARY = ".fastpath-tmp";

  /** Daemons run as another user than the one that installs, whose umask may be strict. */
  private static final Set<PosixFilePermission> READABLE_FILE =
      PosixFilePermissions.fromString("rw-r--r--");

  private static final Set<PosixFilePermission> READABLE_DIRECTORY =
      PosixFilePermissions.fromString("rwxr-xr-x");

  /** Undoes a step. */
  private interface Undo {
    void run() throws IOException;
  }

  /**
   * A step that was done.
   *
   * @param isJar whether it is a jar or its directory, and no file of the operator
   */
  private record Step(Path file, boolean isJar, Undo undo) {}

  private final Deque<Step> done = new ArrayDeque<>();

  void apply(Plan plan) throws IOException {
    try {
      for (Plan.Copy copy : plan.copies()) {
        copy(copy);
      }
      for (FileChange change : plan.changes()) {
        change(change);
      }
    } catch (IOException | RuntimeException e) {
      takeBack(e);
      throw e;
    }
    for (Path file : plan.removals()) {
      remove(file);
    }
  }

  /** Undoes all steps. Jars stay if a file stays that may name their classes. */
  private void takeBack(Exception failure) {
    boolean fileStays = false;
    while (!done.isEmpty()) {
      Step step = done.pop();
      if (step.isJar && fileStays) {
        continue;
      }
      try {
        step.undo.run();
      } catch (IOException | RuntimeException e) {
        fileStays |= !step.isJar;
        failure.addSuppressed(new ConfException("could not be taken back: " + step.file, e));
      }
    }
  }

  private void copy(Plan.Copy copy) throws IOException {
    Path directory = copy.to().getParent();
    if (!Files.exists(directory)) {
      Files.createDirectory(directory);
      done.push(new Step(directory, true, () -> Files.delete(directory)));
      Files.setPosixFilePermissions(directory, READABLE_DIRECTORY);
    }
    boolean isNew = !Files.exists(copy.to());
    replace(
        copy.to(),
        temporary -> {
          Files.copy(copy.from(), temporary, StandardCopyOption.REPLACE_EXISTING);
          Files.setPosixFilePermissions(temporary, READABLE_FILE);
        });
    if (isNew) {
      done.push(new Step(copy.to(), true, () -> Files.delete(copy.to())));
    }
  }

  private void change(FileChange change) throws IOException {
    if (!Objects.equals(FileChange.text(change.path()), change.before())) {
      throw new ConfException(
          change.path() + " has been changed in the meantime: run this command again.");
    }
    write(change.path(), change.before(), change.after());
    done.push(
        new Step(
            change.path(), false, () -> write(change.path(), change.after(), change.before())));
  }

  private static void write(Path path, String before, String after) throws IOException {
    Path file = real(path);
    if (after == null) {
      Files.delete(file);
      return;
    }
    replace(
        file,
        temporary -> {
          if (before == null) {
            Files.deleteIfExists(temporary);
            Files.createFile(temporary);
            Files.setPosixFilePermissions(temporary, READABLE_FILE);
          } else {
            Files.copy(file, temporary, COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
          }
          byte[] bytes = after.getBytes(StandardCharsets.ISO_8859_1);
          Files.write(temporary, bytes, WRITE, TRUNCATE_EXISTING, DSYNC);
        });
  }

  /** Writes a file beside another one. */
  private interface Writing {
    void to(Path temporary) throws IOException;
  }

  /** Replaces a file by a rename; a failure leaves nothing beside it. */
  private static void replace(Path file, Writing writing) throws IOException {
    Path temporary = temporary(file);
    try {
      writing.to(temporary);
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  /** Removes a file; the directory of jars goes with the last one. */
  private static void remove(Path file) throws IOException {
    Files.deleteIfExists(file);
    if (!file.getParent().endsWith(HomePlanner.JAR_DIRECTORY)) {
      return;
    }
    try {
      Files.delete(file.getParent());
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      // The directory has other files, or it was removed with an earlier one.
    }
  }

  /** Returns the file that an interrupted run may leave beside a file. */
  static Path temporary(Path file) {
    return file.resolveSibling(file.getFileName() + TEMPORARY);
  }

  /** Returns the temporary files in a directory. */
  static List<Path> temporaries(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(TEMPORARY)).sorted().toList();
    } catch (IOException e) {
      throw new ConfException(directory + " cannot be listed: " + e.getMessage(), e);
    }
  }

  /** Returns the name of a file's owner. */
  static String owner(Path path) {
    try {
      return Files.getOwner(path).getName();
    } catch (IOException e) {
      throw new ConfException(path + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the file itself, not a link to it: configuration files are often links. */
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
