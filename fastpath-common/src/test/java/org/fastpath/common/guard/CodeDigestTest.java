package org.fastpath.common.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.fastpath.common.guard.ClassFile.Member;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * The digest of a method changes with its code, and with nothing else. Tried on the classes of
 * HBase's server, written anew by ASM.
 */
class CodeDigestTest {
  private static final Path JAR = Path.of("target", "upstream", "hbase-server-2.6.4-hadoop3.jar");
  private static final String PACKAGES = "org/apache/hadoop/hbase/(regionserver|io)/.*\\.class";

  @Test
  void aRewrittenConstantPoolAndNoDebugInformationChangeNothing() throws IOException {
    int methods = 0;
    try (JarFile jar = new JarFile(JAR.toFile())) {
      for (String name : classes(jar)) {
        byte[] bytes = bytes(jar, name);
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(bytes).accept(new Padding(writer), ClassReader.SKIP_DEBUG);
        methods += assertSame(bytes, writer.toByteArray(), name);
      }
    }
    assertThat(methods).isGreaterThan(5000);
  }

  private static int assertSame(byte[] one, byte[] other, String name) {
    ClassFile file = ClassFile.of(one);
    ClassFile rewritten = ClassFile.of(other);
    Classes classes = new Classes(wanted -> wanted.equals(file.name()) ? one : null);
    Classes others = new Classes(wanted -> wanted.equals(file.name()) ? other : null);
    int count = 0;
    for (Member method : file.methods()) {
      assertThat(CodeDigest.of(rewritten, rewritten.method(method.key()), others))
          .as("%s#%s", name, method.key())
          .isEqualTo(CodeDigest.of(file, method, classes));
      count++;
    }
    return count;
  }

  @Test
  void oneInstructionMoreIsSeen() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      byte[] bytes = bytes(jar, "org/apache/hadoop/hbase/regionserver/KeyValueHeap.class");
      ClassFile file = ClassFile.of(bytes);
      ClassFile altered = ClassFile.of(AlteredClass.longer(bytes, "peek"));
      Classes none = new Classes(name -> null);
      for (Member method : file.methods()) {
        long before = CodeDigest.of(file, method, none);
        long after = CodeDigest.of(altered, altered.method(method.key()), none);
        assertThat(after == before).as(method.key()).isEqualTo(!method.name().equals("peek"));
      }
    }
  }

  @Test
  void bytesThatAreNoClassFileAreRefused() {
    assertThatThrownBy(() -> ClassFile.of(new byte[] {1, 2, 3, 4, 5}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ClassFile.of(new byte[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> ClassFile.of(new byte[] {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> classes(JarFile jar) {
    List<String> names = new ArrayList<>();
    jar.stream().map(Object::toString).filter(name -> name.matches(PACKAGES)).forEach(names::add);
    return names;
  }

  private static byte[] bytes(JarFile jar, String name) {
    try (var in = jar.getInputStream(jar.getEntry(name))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fills the constant pool first, so that no constant keeps its place and ldc becomes ldc_w. */
  private static final class Padding extends ClassVisitor {
    private static final int CONSTANTS = 300;

    Padding(ClassWriter writer) {
      super(Opcodes.ASM9, writer);
      for (int constant = 0; constant < CONSTANTS; constant++) {
        writer.newConst("a constant that nobody uses " + constant);
      }
    }
  }
}
