package org.fastpath.common.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The copy that is asked first looks up for all; a copy that cannot use it looks up by itself. */
class SharedCrcsTest {
  private static final ClassLoader LOADER = ClassLoader.getSystemClassLoader();

  /** Stands for the copy of another jar. */
  public static final class Copy {
    static final ToLongFunction<String> LOOK_UP = name -> 1;

    private Copy() {}

    /** As {@link SharedCrcs#own}. */
    public static ToLongFunction<String> own(ClassLoader loader) {
      return LOOK_UP;
    }
  }

  @AfterEach
  void forget() {
    System.clearProperty(SharedCrcs.PROPERTY);
  }

  @Test
  void theFirstCopyNamesItself() {
    System.clearProperty(SharedCrcs.PROPERTY);
    assertThat(SharedCrcs.of(LOADER))
        .isSameAs(SharedCrcs.own(LOADER))
        .isSameAs(SharedCrcs.of(LOADER));
    assertThat(System.getProperty(SharedCrcs.PROPERTY)).isEqualTo(SharedCrcs.class.getName());
  }

  @Test
  void laterCopiesAskTheFirstOne() {
    System.setProperty(SharedCrcs.PROPERTY, Copy.class.getName());
    assertThat(SharedCrcs.of(LOADER)).isSameAs(Copy.LOOK_UP);
    assertThat(new ClassPathSource(LOADER).crc("org/apache/hadoop/Any")).isEqualTo(1);
  }

  @Test
  void aCopyThatIsNotThereOrHasNoLookUpIsNotAsked() {
    System.setProperty(SharedCrcs.PROPERTY, "org.fastpath.Gone");
    assertThat(SharedCrcs.of(LOADER)).isSameAs(SharedCrcs.own(LOADER));
    System.setProperty(SharedCrcs.PROPERTY, "java.lang.String");
    assertThat(SharedCrcs.of(LOADER)).isSameAs(SharedCrcs.own(LOADER));
  }

  /** Prints the CRC of a class that is in a jar. */
  static final class Printer {
    private Printer() {}

    public static void main(String[] args) {
      System.out.println(SharedCrcs.of(LOADER).applyAsLong(args[0]));
    }
  }

  @Test
  void theClassPathOfADaemonIsSearchedWithoutItsClassLoader() throws Exception {
    String name = "org/objectweb/asm/ClassReader";
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Printer.class.getName(),
                name)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).isZero();
    assertThat(Long.parseLong(printed.strip()))
        .isNotEqualTo(ClassPathJars.UNKNOWN)
        .isEqualTo(new ClassPathSource(LOADER).crc(name));
  }

  /** Of another class loader it is not known where its classes are. */
  @Test
  void otherClassLoadersAreAskedThemselves() throws Exception {
    try (URLClassLoader other = new URLClassLoader(new URL[0], LOADER)) {
      assertThat(SharedCrcs.of(other)).isNull();
    }
    assertThat(SharedCrcs.of(null)).isNull();
  }
}
