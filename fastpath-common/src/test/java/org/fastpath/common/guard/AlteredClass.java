package org.fastpath.common.guard;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Writes upstream classes as another release might have them. For tests of all modules. */
public final class AlteredClass {
  private AlteredClass() {}

  /** Returns the class with an instruction that does nothing in front of the methods of a name. */
  public static byte[] longer(byte[] classFile, String method) {
    return written(classFile, writer -> new Longer(writer, method));
  }

  /** Returns the class without the fields and methods of a name. */
  public static byte[] without(byte[] classFile, String member) {
    return written(classFile, writer -> new Without(writer, member));
  }

  /** Returns the class with one abstract method more. */
  public static byte[] withAbstract(byte[] classFile, String method) {
    return written(classFile, writer -> new WithAbstract(writer, method));
  }

  /**
   * Writes what {@link #longer} returns for a class that a jar on the class path holds.
   *
   * @param folder a folder of classes
   * @param name such as {@code org.apache.hadoop.util.NativeCrc32}
   * @return the folder
   */
  public static Path write(Path folder, String name, String method) throws IOException {
    String file = name.replace('.', '/') + ".class";
    Path target = folder.resolve(file);
    Files.createDirectories(target.getParent());
    try (InputStream in = upstream(file).openStream()) {
      Files.write(target, longer(in.readAllBytes(), method));
    }
    return folder;
  }

  private static URL upstream(String file) throws IOException {
    return Collections.list(AlteredClass.class.getClassLoader().getResources(file)).stream()
        .filter(url -> url.getProtocol().equals("jar"))
        .findFirst()
        .orElseThrow();
  }

  /** A change of a class. */
  @FunctionalInterface
  private interface Change {
    ClassVisitor of(ClassWriter writer);
  }

  private static byte[] written(byte[] classFile, Change change) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(classFile).accept(change.of(writer), 0);
    return writer.toByteArray();
  }

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

  private static final class Without extends ClassVisitor {
    private final String member;

    Without(ClassVisitor next, String member) {
      super(Opcodes.ASM9, next);
      this.member = member;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generics, String[] exceptions) {
      return name.equals(member)
          ? null
          : super.visitMethod(access, name, descriptor, generics, exceptions);
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String descriptor, String generics, Object value) {
      return name.equals(member)
          ? null
          : super.visitField(access, name, descriptor, generics, value);
    }
  }

  private static final class WithAbstract extends ClassVisitor {
    private final String method;

    WithAbstract(ClassVisitor next, String method) {
      super(Opcodes.ASM9, next);
      this.method = method;
    }

    @Override
    public void visitEnd() {
      super.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, method, "()V", null, null)
          .visitEnd();
      super.visitEnd();
    }
  }
}
