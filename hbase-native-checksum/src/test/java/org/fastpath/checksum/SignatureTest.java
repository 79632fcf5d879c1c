package org.fastpath.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The patched classes have every member of the classes that they stand for, in each version that
 * the build has. A method that appears upstream fails this test.
 */
class SignatureTest {
  private static final Path UPSTREAM = Path.of("target", "upstream");
  private static final String NATIVE_CRC32 = "org/apache/hadoop/util/NativeCrc32.class";
  private static final String CHECKSUM_UTIL = "org/apache/hadoop/hbase/io/hfile/ChecksumUtil.class";

  private static final List<String> HADOOP = List.of("3.4.3", "3.4.2", "3.3.5");
  private static final List<String> HBASE =
      List.of("2.6.4-hadoop3", "2.6.1-hadoop3", "2.5.13-hadoop3");

  record Patch(String classFile, Path jar) {}

  static Stream<Patch> patches() {
    return Stream.concat(
        HADOOP.stream().map(version -> new Patch(NATIVE_CRC32, jar("hadoop-common", version))),
        HBASE.stream().map(version -> new Patch(CHECKSUM_UTIL, jar("hbase-server", version))));
  }

  private static Path jar(String artifact, String version) {
    return UPSTREAM.resolve(artifact + "-" + version + ".jar");
  }

  @ParameterizedTest
  @MethodSource("patches")
  void hasAllOfUpstream(Patch patch) throws IOException {
    Signatures upstream = Signatures.of(new ByteArrayInputStream(upstream(patch)));
    assertThat(upstream.size()).isGreaterThan(5);
    assertThat(ours(patch.classFile).lacking(upstream)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("patches")
  void noticesWhatIsAddedUpstream(Patch patch) throws IOException {
    byte[] grown = withMethod(upstream(patch), "verifyMore", Opcodes.ACC_PUBLIC);
    assertThat(ours(patch.classFile).lacking(Signatures.of(new ByteArrayInputStream(grown))))
        .containsExactly("missing: verifyMore(J)V");
    byte[] nativeGrown =
        withMethod(upstream(patch), "nativeMore", Opcodes.ACC_PRIVATE | Opcodes.ACC_NATIVE);
    assertThat(ours(patch.classFile).lacking(Signatures.of(new ByteArrayInputStream(nativeGrown))))
        .containsExactly("missing: nativeMore(J)V");
  }

  @Test
  void everyUpstreamJarOfTheBuildIsLookedAt() throws IOException {
    try (Stream<Path> jars = Files.list(UPSTREAM)) {
      assertThat(jars.toList())
          .containsExactlyInAnyOrderElementsOf(patches().map(Patch::jar).toList());
    }
  }

  private static byte[] upstream(Patch patch) throws IOException {
    try (JarFile jar = new JarFile(patch.jar.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(patch.classFile))) {
      return in.readAllBytes();
    }
  }

  private static Signatures ours(String classFile) throws IOException {
    try (InputStream in = Files.newInputStream(Path.of("target", "classes", classFile))) {
      return Signatures.of(in);
    }
  }

  private static byte[] withMethod(byte[] classFile, String name, int access) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(classFile).accept(writer, 0);
    int abstractOrNative = access & Opcodes.ACC_NATIVE;
    MethodVisitor method =
        writer.visitMethod(
            abstractOrNative == 0 ? access | Opcodes.ACC_ABSTRACT : access,
            name,
            "(J)V",
            null,
            null);
    method.visitEnd();
    return writer.toByteArray();
  }
}
