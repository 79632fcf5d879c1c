package org.fastpath.common.versions;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The published jars of a later HBase 2.6, to be put in front of those of 2.6.4.
 *
 * <p>Not all jars of such a version are published where this build looks. Stand-ins have the few
 * members of the others that regions and store files need.
 */
public final class ServerJars {
  private static final Path UPSTREAM = Path.of("..", "fastpath-common", "target", "upstream");
  private static final String PRIMARY = "hbase-server-2.6.4-hadoop3.jar";

  /**
   * The published jar has it built against Hadoop 2; deployed versions have it built against Hadoop
   * 3.
   */
  private static final String HADOOP_3 = "org/apache/hadoop/hbase/io/FSDataInputStreamWrapper";

  private ServerJars() {}

  /** Returns the later versions that tests run on: the last one, and by night all. */
  public static List<String> tested() {
    return Boolean.getBoolean("nightly") ? List.of("2.6.5", "2.6.6") : List.of("2.6.6");
  }

  /** Returns the jars of a version, behind a folder with the stand-ins. */
  public static List<Path> of(String version, Path standIns) throws IOException {
    List<Path> paths = new ArrayList<>(List.of(standIns));
    try (Stream<Path> jars = Files.list(UPSTREAM)) {
      jars.filter(jar -> jar.toString().endsWith("-" + version + ".jar"))
          .map(Path::toAbsolutePath)
          .forEach(paths::add);
    }
    copy(UPSTREAM.resolve(PRIMARY), HADOOP_3, standIns);
    String cell = "(Lorg/apache/hadoop/hbase/Cell;)Lorg/apache/hadoop/hbase/Cell;";
    grow(
        "org/apache/hadoop/hbase/filter/Filter",
        cell,
        standIns,
        "getHintForRejectedRow",
        "getSkipHint");
    grow(
        "org/apache/hadoop/hbase/client/TableDescriptor",
        "()Ljava/lang/String;",
        standIns,
        "getDescriptorHash");
    return paths;
  }

  private static void copy(Path jar, String prefix, Path folder) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (JarEntry entry :
          file.stream().filter(each -> each.getName().startsWith(prefix)).toList()) {
        try (InputStream in = file.getInputStream(entry)) {
          write(folder, entry.getName(), in.readAllBytes());
        }
      }
    }
  }

  /** Adds methods that return null to a class or interface of 2.6.4. */
  private static void grow(String name, String descriptor, Path folder, String... methods)
      throws IOException {
    ClassWriter writer = new ClassWriter(0);
    try (InputStream in = ServerJars.class.getResourceAsStream("/" + name + ".class")) {
      new ClassReader(in).accept(writer, 0);
    }
    for (String method : methods) {
      MethodVisitor code = writer.visitMethod(Opcodes.ACC_PUBLIC, method, descriptor, null, null);
      code.visitCode();
      code.visitInsn(Opcodes.ACONST_NULL);
      code.visitInsn(Opcodes.ARETURN);
      code.visitMaxs(1, 2);
      code.visitEnd();
    }
    write(folder, name + ".class", writer.toByteArray());
  }

  private static void write(Path folder, String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }
}
