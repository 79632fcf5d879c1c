package org.fastpath.tools.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplierTest {
  @TempDir private Path directory;

  @Test
  void aStepThatFailsTakesBackTheStepsBeforeIt() throws IOException {
    Path jar = Files.writeString(directory.resolve("a.jar"), "jar");
    Path changed = Files.writeString(directory.resolve("changed"), "before");
    Plan plan = new Plan();
    plan.copy(jar, directory.resolve("fastpath/a.jar"));
    plan.change(new FileChange(changed, "before", "after"));
    plan.change(new FileChange(directory.resolve("created"), null, "new"));
    plan.change(new FileChange(directory.resolve("nowhere/file"), null, "new"));
    plan.remove(jar);

    assertThatThrownBy(() -> new Applier().apply(plan)).isInstanceOf(IOException.class);

    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).containsExactlyInAnyOrder(jar, changed);
    }
    assertThat(changed).hasContent("before");
  }

  /** The file may still name classes in the jar. */
  @Test
  void theJarStaysIfAFileCannotBeTakenBack() throws IOException {
    Path jar = Files.writeString(directory.resolve("a.jar"), "jar");
    Path stuck = Files.writeString(directory.resolve("stuck"), "before");
    Path changed = Files.writeString(directory.resolve("changed"), "before");
    Plan plan = new Plan();
    plan.copy(jar, directory.resolve("fastpath/a.jar"));
    plan.change(new FileChange(changed, "before", "after"));
    plan.change(new FileChange(stuck, "before", "after"));
    Path inTheWay = Applier.temporary(stuck).resolve("x");
    plan.change(new FileChange(failing(() -> Files.createDirectories(inTheWay)), null, "new"));

    assertThatThrownBy(() -> new Applier().apply(plan))
        .hasMessage("failing")
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly("could not be taken back: " + stuck));

    assertThat(stuck).hasContent("after");
    assertThat(changed).hasContent("before");
    assertThat(directory.resolve("fastpath/a.jar")).exists();
  }

  /** A path that runs something and fails as soon as its file is looked at. */
  private static Path failing(Callable<?> action) {
    return (Path)
        Proxy.newProxyInstance(
            ApplierTest.class.getClassLoader(),
            new Class<?>[] {Path.class},
            (proxy, method, args) -> {
              action.call();
              throw new IllegalStateException("failing");
            });
  }

  @Test
  void aFileThatChangedWhileTheQuestionWasOpenStays() throws IOException {
    Path jar = Files.writeString(directory.resolve("a.jar"), "jar");
    Path changed = Files.writeString(directory.resolve("changed"), "by somebody else");
    Plan plan = new Plan();
    plan.copy(jar, directory.resolve("fastpath/a.jar"));
    plan.change(new FileChange(changed, "before", "after"));

    assertThatThrownBy(() -> new Applier().apply(plan)).hasMessageContaining("run this command");

    assertThat(changed).hasContent("by somebody else");
    assertThat(directory.resolve("fastpath")).doesNotExist();
  }

  /** An administrator's umask may be 077, and daemons are other users. */
  @Test
  void everybodyMayReadTheJarsAndNewFiles() throws IOException {
    Path jar = Files.writeString(directory.resolve("a.jar"), "jar");
    Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-------"));
    Path copy = directory.resolve("fastpath/a.jar");
    Path made = directory.resolve("made");
    Plan plan = new Plan();
    plan.copy(jar, copy);
    plan.change(new FileChange(made, null, "new"));
    new Applier().apply(plan);
    assertThat(permissions(copy.getParent())).isEqualTo("rwxr-xr-x");
    assertThat(permissions(copy)).isEqualTo("rw-r--r--");
    assertThat(permissions(made)).isEqualTo("rw-r--r--");
  }

  private static String permissions(Path path) {
    return PosixFilePermissions.toString(Applier.permissions(path));
  }

  @Test
  void theDirectoryGoesWithItsLastJar() throws IOException {
    Path jars = Files.createDirectory(directory.resolve("fastpath"));
    Plan plan = new Plan();
    plan.remove(Files.createFile(jars.resolve("a.jar")));
    plan.remove(Files.createFile(jars.resolve("b.jar")));
    new Applier().apply(plan);
    assertThat(jars).doesNotExist();
  }

  @Test
  void theDirectoryStaysWithAFileOfSomebodyElse() throws IOException {
    Path jars = Files.createDirectory(directory.resolve("fastpath"));
    Path other = Files.createFile(jars.resolve("other"));
    Plan plan = new Plan();
    plan.remove(Files.createFile(jars.resolve("a.jar")));
    new Applier().apply(plan);
    assertThat(jars).isDirectoryContaining(path -> path.equals(other));
  }
}
