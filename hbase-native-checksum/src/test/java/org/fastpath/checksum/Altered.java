package org.fastpath.checksum;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** An upstream class, one method of which another release has changed. */
final class Altered {
  private Altered() {}

  /** Writes the class that a patch of ours stands for into a folder of classes. */
  static Path write(Path folder, String name, String method) throws IOException {
    String file = name.replace('.', '/') + ".class";
    ClassWriter writer = new ClassWriter(0);
    try (InputStream in = upstream(file).openStream()) {
      new ClassReader(in).accept(new Longer(writer, method), 0);
    }
    Path target = folder.resolve(file);
    Files.createDirectories(target.getParent());
    Files.write(target, writer.toByteArray());
    return folder;
  }

  private static URL upstream(String file) throws IOException {
    return Collections.list(Altered.class.getClassLoader().getResources(file)).stream()
        .filter(url -> url.getProtocol().equals("jar"))
        .findFirst()
        .orElseThrow();
  }

  /** Puts an instruction that does nothing in front of a method. */
  private static final class Longer extends ClassVisitor {
    private final String method;

    Longer(ClassVisitor next, String method) {
      super(Opcodes.ASM9, next);
      this.method = method;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generics, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, generics, exceptions);
      return !name.equals(method)
          ? next
          : new MethodVisitor(Opcodes.ASM9, next) {
            @Override
            public void visitCode() {
              super.visitCode();
              super.visitInsn(Opcodes.NOP);
            }
          };
    }
  }
}
