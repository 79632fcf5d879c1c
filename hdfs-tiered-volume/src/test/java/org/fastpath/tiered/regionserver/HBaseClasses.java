package org.fastpath.tiered.regionserver;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The classes of one version of HBase, read from its jars, and from the class path those of others
 * that they extend. Members are named as in {@link Member}.
 */
final class HBaseClasses implements Closeable {
  private static final String HBASE = "org/apache/hadoop/hbase/";

  /** A method with its descriptor, or a field with its type, of a class by its internal name. */
  record Member(String owner, String nameAndType) {
    boolean isOfHBase() {
      return owner.startsWith(HBASE);
    }

    @Override
    public String toString() {
      return owner + "." + nameAndType;
    }
  }

  /**
   * A class.
   *
   * @param members all of its own
   * @param ofPackage those that are not private
   * @param linkable those that are public, or protected, if the class is public
   * @param overriding public methods that can override others
   * @param parents its superclass and interfaces
   */
  record Shape(
      Set<String> members,
      Set<String> ofPackage,
      Set<String> linkable,
      Set<String> overriding,
      List<String> parents) {
    Shape() {
      this(new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashSet<>(), new ArrayList<>());
    }
  }

  private static final int NOT_OVERRIDING = Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;

  private final List<JarFile> jars = new ArrayList<>();
  private final Map<String, Shape> shapes = new TreeMap<>();

  HBaseClasses(Path directory, String version) throws IOException {
    for (String artifact : List.of("hbase-server", "hbase-common", "hbase-client")) {
      jars.add(new JarFile(directory.resolve(artifact + "-" + version + ".jar").toFile()));
    }
  }

  /** Returns whether a class or its parents have a member that a class of a package can link to. */
  boolean has(Member member, String fromPackage) throws IOException {
    Shape shape = shape(member.owner());
    boolean near = packageOf(member.owner()).equals(fromPackage);
    if ((near ? shape.ofPackage : shape.linkable).contains(member.nameAndType())) {
      return true;
    }
    for (String parent : shape.parents) {
      if (has(new Member(parent, member.nameAndType()), fromPackage)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the package of a class, both in their internal form. */
  static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('/'));
  }

  /** Returns whether a class has a member, private or not, by itself. */
  boolean declares(Member member) throws IOException {
    return shape(member.owner()).members.contains(member.nameAndType());
  }

  private Shape shape(String name) throws IOException {
    Shape known = shapes.get(name);
    if (known != null) {
      return known;
    }
    Shape shape = new Shape();
    shapes.put(name, shape);
    try (InputStream in = open(name)) {
      if (in != null) {
        read(in, shape);
      }
    }
    return shape;
  }

  /** Returns a class from its file. */
  static Shape read(Path file) throws IOException {
    Shape shape = new Shape();
    try (InputStream in = Files.newInputStream(file)) {
      read(in, shape);
    }
    return shape;
  }

  private static void read(InputStream in, Shape shape) throws IOException {
    new ClassReader(in)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              private boolean exported;

              @Override
              public void visit(
                  int version,
                  int access,
                  String name,
                  String generics,
                  String parent,
                  String[] interfaces) {
                exported = (access & Opcodes.ACC_PUBLIC) != 0;
                if (parent != null) {
                  shape.parents.add(parent);
                }
                shape.parents.addAll(List.of(interfaces));
              }

              @Override
              public FieldVisitor visitField(
                  int access, String name, String type, String generics, Object value) {
                add(access, name + " " + type);
                return null;
              }

              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String generics, String[] thrown) {
                add(access, name + descriptor);
                boolean visible = (access & Opcodes.ACC_PUBLIC) != 0;
                if (visible && (access & NOT_OVERRIDING) == 0 && !name.equals("<init>")) {
                  shape.overriding.add(name + descriptor);
                }
                return null;
              }

              private void add(int access, String nameAndType) {
                shape.members.add(nameAndType);
                if ((access & Opcodes.ACC_PRIVATE) == 0) {
                  shape.ofPackage.add(nameAndType);
                }
                if (exported && (access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0) {
                  shape.linkable.add(nameAndType);
                }
              }
            },
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
  }

  private InputStream open(String name) throws IOException {
    String file = name + ".class";
    for (JarFile jar : jars) {
      ZipEntry entry = jar.getEntry(file);
      if (entry != null) {
        return jar.getInputStream(entry);
      }
    }
    return name.startsWith(HBASE) ? null : ClassLoader.getSystemResourceAsStream(file);
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
  }
}
