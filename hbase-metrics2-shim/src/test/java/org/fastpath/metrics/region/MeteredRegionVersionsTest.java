package org.fastpath.metrics.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Every method that {@code MeteredRegion} overrides exists in each supported version of HBase. A
 * missing method would never be called, and nothing would be timed.
 */
class MeteredRegionVersionsTest {
  private static final String REGION = "org/apache/hadoop/hbase/regionserver/HRegion.class";
  private static final Path METERED =
      Path.of("target", "classes", "org/apache/hadoop/hbase/regionserver/MeteredRegion.class");
  private static final Path UPSTREAM = Path.of("target", "upstream");
  private static final int CLOSED = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL | Opcodes.ACC_STATIC;

  static Stream<Path> jars() throws IOException {
    return Files.list(UPSTREAM);
  }

  @Test
  void threeVersionsAreLookedAt() throws IOException {
    try (Stream<Path> jars = jars()) {
      assertThat(jars).hasSize(3);
    }
  }

  @ParameterizedTest
  @MethodSource("jars")
  void whatIsOverriddenIsThere(Path jar) throws IOException {
    Set<String> ours = new TreeSet<>();
    try (InputStream in = Files.newInputStream(METERED)) {
      ours.addAll(methods(in));
    }
    assertThat(ours).anyMatch(name -> name.startsWith("prepareGet")).hasSizeGreaterThan(6);
    try (JarFile file = new JarFile(jar.toFile());
        InputStream in = file.getInputStream(file.getEntry(REGION))) {
      assertThat(methods(in)).containsAll(ours);
    }
  }

  /** Methods that can be overridden, and constructors, by name and descriptor. */
  private static Set<String> methods(InputStream classFile) throws IOException {
    Set<String> methods = new TreeSet<>();
    new ClassReader(classFile)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String generics, String[] thrown) {
                if ((access & CLOSED) == 0) {
                  methods.add(name + descriptor);
                }
                return null;
              }
            },
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    return methods;
  }
}
