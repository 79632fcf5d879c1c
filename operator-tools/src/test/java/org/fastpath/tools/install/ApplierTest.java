package org.fastpath.tools.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
