package org.fastpath.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorldTest {
  @TempDir Path base;
  private Layout layout;

  @BeforeEach
  void layOut() {
    layout = new Layout(base, List.of(base.resolve("benchmarks.jar")));
  }

  @ParameterizedTest
  @EnumSource(World.class)
  void ourJarsAreInFrontInOurWorldsAndNowhereElse(World world) {
    String[] entries = world.classPath(layout).split(File.pathSeparator);

    assertThat(entries).endsWith(base.resolve("benchmarks.jar").toString());
    assertThat(entries).hasSize(1 + world.jars(layout).size());
    assertThat(world.classPath(layout).contains(Layout.OFF_HEAP_JAR))
        .isEqualTo(world == World.OFF_HEAP);
    assertThat(entries[0].endsWith(Layout.CHECKSUM_JAR)).isEqualTo(world.ours());
    assertThat(world.classPath(layout).contains(Layout.METRICS_JAR))
        .isEqualTo(world.ours() || world == World.METRICS);
  }

  @ParameterizedTest
  @EnumSource(World.class)
  void idNamesTheWorldToPeopleAndToTheFork(World world) {
    assertThat(World.of(world.id())).isEqualTo(world);
    assertThat(world.description()).isNotBlank();
    assertThat(world.jvmFlags(layout)).contains("-D" + World.PROPERTY + "=" + world.id());
  }

  @Test
  void libraryPathHoldsLibhadoopOnlyWhereTheWorldSaysSo() {
    String with = "-Djava.library.path=" + layout.libhadoopDirectory();

    assertThat(World.STOCK_NATIVE.jvmFlags(layout)).contains(with);
    assertThat(World.OURS_AUTO.jvmFlags(layout)).contains(with);
    assertThat(World.STOCK_JAVA.jvmFlags(layout)).doesNotContain(with);
    assertThat(World.OURS_NOLIB.jvmFlags(layout)).doesNotContain(with);
  }

  @Test
  void providerIsSetInOurWorldsOnly() {
    String property = "-Dhbase.fastpath.checksum.provider=";

    assertThat(World.OURS_HADOOP_NATIVE.jvmFlags(layout)).contains(property + "hadoop-native");
    assertThat(World.STOCK_NATIVE.jvmFlags(layout)).noneMatch(flag -> flag.startsWith(property));
  }

  @Test
  void worldWithoutItsJarCannotRun() {
    assertThatThrownBy(() -> World.OURS_AUTO.prepare(layout))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ours-auto")
        .hasMessageContaining(Layout.CHECKSUM_JAR);
  }

  @Test
  void libhadoopIsWrittenWhereAWorldWantsIt() throws IOException {
    World.STOCK_NATIVE.prepare(layout);

    assertThat(Files.size(layout.libhadoopDirectory().resolve("libhadoop.so"))).isPositive();
  }

  @Test
  void aForkThatIsNotInItsWorldSaysSo() {
    System.setProperty(World.PROPERTY, World.OURS_NOLIB.id());
    try {
      assertThatThrownBy(World::confirmCurrent)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("world ours-nolib wants our classes loaded, they are absent");
    } finally {
      System.clearProperty(World.PROPERTY);
    }
  }
}
