package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.conf.Configuration;
import org.fastpath.offheap.reader.Scanners;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Attaches our scanners to HBase's tests that open HFiles without a store. It gives the JVM an
 * {@code HFileReaderImpl} whose {@code getScanner} calls this class. HBase's own method becomes
 * {@code stockScanner}. For JVMs that run HBase's own tests. Thread-safe.
 */
public final class AttachedScanners {
  private static final String READER = "org/apache/hadoop/hbase/io/hfile/HFileReaderImpl";
  private static final String METHOD = "getScanner";
  private static final String STOCK = "stockScanner";
  private static final MethodType TYPE =
      MethodType.methodType(
          HFileScanner.class, Configuration.class, boolean.class, boolean.class, boolean.class);

  /** Set while our scanner is opened, which may ask the reader for HBase's. */
  private static final ThreadLocal<Boolean> OPENING = ThreadLocal.withInitial(() -> false);

  private static volatile MethodHandle stock;

  private AttachedScanners() {}

  /** Attaches the scanners. Call it before any code loads HBase's class. */
  public static void attach() throws IOException, ReflectiveOperationException {
    try (InputStream in = ClassLoader.getSystemResourceAsStream(READER + ".class")) {
      ClassWriter writer = new ClassWriter(0);
      new ClassReader(in).accept(new Attaching(writer), 0);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Class<?> reader = lookup.defineClass(writer.toByteArray());
      stock = lookup.findVirtual(reader, STOCK, TYPE);
    }
  }

  /** Replaces {@code getScanner}. */
  public static HFileScanner open(
      HFile.Reader reader,
      Configuration conf,
      boolean cacheBlocks,
      boolean pread,
      boolean isCompaction)
      throws Throwable {
    if (OPENING.get()) {
      return (HFileScanner) stock.invoke(reader, conf, cacheBlocks, pread, isCompaction);
    }
    OPENING.set(true);
    try {
      return new Scanners(reader, conf).open(cacheBlocks, pread, isCompaction);
    } finally {
      OPENING.set(false);
    }
  }

  private static final class Attaching extends ClassVisitor {
    Attaching(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generics, String[] exceptions) {
      boolean wanted = name.equals(METHOD) && descriptor.equals(TYPE.toMethodDescriptorString());
      return super.visitMethod(access, wanted ? STOCK : name, descriptor, generics, exceptions);
    }

    @Override
    public void visitEnd() {
      MethodVisitor method =
          super.visitMethod(
              Opcodes.ACC_PUBLIC, METHOD, TYPE.toMethodDescriptorString(), null, null);
      method.visitCode();
      method.visitVarInsn(Opcodes.ALOAD, 0);
      method.visitVarInsn(Opcodes.ALOAD, 1);
      method.visitVarInsn(Opcodes.ILOAD, 2);
      method.visitVarInsn(Opcodes.ILOAD, 3);
      method.visitVarInsn(Opcodes.ILOAD, 4);
      method.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          "org/apache/hadoop/hbase/io/hfile/AttachedScanners",
          "open",
          TYPE.insertParameterTypes(0, HFile.Reader.class).toMethodDescriptorString(),
          false);
      method.visitInsn(Opcodes.ARETURN);
      method.visitMaxs(5, 5);
      method.visitEnd();
      super.visitEnd();
    }
  }
}
