package org.fastpath.checksum;

import java.io.IOException;
import java.io.InputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** HBase's version class as a release that does not exist would carry it. */
final class FakeHBaseVersion {
  static final String CLASS_FILE = "org/apache/hadoop/hbase/Version.class";

  private FakeHBaseVersion() {}

  static byte[] of(String version) throws IOException {
    ClassWriter writer = new ClassWriter(0);
    try (InputStream in = FakeHBaseVersion.class.getResourceAsStream("/" + CLASS_FILE)) {
      new ClassReader(in).accept(new Renaming(writer, version), 0);
    }
    return writer.toByteArray();
  }

  private static final class Renaming extends ClassVisitor {
    private final String version;

    Renaming(ClassVisitor next, String version) {
      super(Opcodes.ASM9, next);
      this.version = version;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generics, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, generics, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitLdcInsn(Object value) {
          super.visitLdcInsn(value instanceof String ? version : value);
        }
      };
    }
  }
}
