package org.fastpath.offheap.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Every field, method and constructor of hbase-server and hbase-common that our classes refer to is
 * there, and visible to them, in each version of HBase that the jar calls verified: found by
 * reading our class files, so that nothing has to be listed.
 */
class UpstreamMembersTest {
  private static final Path CLASSES = Path.of("target", "classes");
  private static final Path UPSTREAM = Path.of("target", "upstream");
  private static final String HBASE = "org/apache/hadoop/hbase/";

  private static final String PRIMARY = "2.6.4-hadoop3";
  private static final String CACHE = "org/fastpath/offheap/cache/";
  private static final String READER = "org/fastpath/offheap/reader/";
  private static final String SERVER = HBASE + "regionserver/OffHeapCacheRegionServer";

  /** A member that one of our classes refers to. */
  private record Reference(String from, String owner, String member)
      implements Comparable<Reference> {
    boolean withinPackage() {
      return packageOf(from).equals(packageOf(owner));
    }

    private static String packageOf(String name) {
      return name.substring(0, name.lastIndexOf('/'));
    }

    @Override
    public int compareTo(Reference other) {
      return toString().compareTo(other.toString());
    }
  }

  static Stream<String> versions() {
    return VerifiedVersions.hbase().stream();
  }

  @Test
  void primaryVersionIsVerified() {
    assertThat(VerifiedVersions.hbase()).contains(PRIMARY, "2.6.1-hadoop3", "2.5.13-hadoop3");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void whatIsReferredToIsThere(String version) throws IOException {
    Map<String, Members> upstream = upstream(version);
    Set<String> known = upstream(PRIMARY).keySet();
    Set<Reference> references = references();
    Set<Reference> missing = new TreeSet<>();
    int found = 0;
    for (Reference reference : references) {
      if (known.contains(reference.owner())) {
        if (has(upstream, reference.owner(), reference)) {
          found++;
        } else {
          missing.add(reference);
        }
      }
    }
    if (!VerifiedVersions.reader().contains(version)) {
      missing.removeIf(reference -> isOfTheReaderOnly(reference.from(), references));
    }
    assertThat(missing).isEmpty();
    assertThat(found).isGreaterThan(80);
  }

  /** Whether a class is used only where the off-heap reader of HFiles is attached. */
  private static boolean isOfTheReaderOnly(String name, Set<Reference> references) {
    return name.startsWith(HBASE) && !name.equals(SERVER)
        || name.startsWith(READER)
            && references.stream()
                .filter(reference -> reference.from().startsWith(CACHE))
                .noneMatch(reference -> reference.owner().equals(name));
  }

  @Test
  void storeFilesHaveWhatTheReaderOverridesAndReads() throws IOException {
    assertThat(VerifiedVersions.hbase()).containsAll(VerifiedVersions.reader());
    for (String version : VerifiedVersions.reader()) {
      assertThat(upstream(version).get(HBASE + "regionserver/StoreFileInfo").names)
          .contains("link:Lorg/apache/hadoop/hbase/io/HFileLink;")
          .anyMatch(name -> name.startsWith("createReader("))
          .anyMatch(name -> name.startsWith("createReaderContext("));
    }
  }

  /** Without it the limits keep their time, and who asked looks at it after each row. */
  @Test
  void limitsOfAScanHaveATimeThatCanBeSet() throws IOException {
    for (String version : VerifiedVersions.reader()) {
      assertThat(upstream(version).get(HBASE + "regionserver/ScannerContext$LimitFields").names)
          .contains("time:J");
    }
  }

  @ParameterizedTest
  @MethodSource("versions")
  void serverKeepsItsCacheInAFieldOfItsOwn(String version) throws IOException {
    assertThat(upstream(version).get(HBASE + "regionserver/HRegionServer").names)
        .contains("blockCache:Lorg/apache/hadoop/hbase/io/hfile/BlockCache;");
  }

  /** Whether the class or one above it has the member; a class of the JDK's is not looked into. */
  private static boolean has(Map<String, Members> upstream, String owner, Reference reference) {
    Members members = upstream.get(owner);
    if (members == null) {
      return !owner.startsWith(HBASE) && !owner.equals("java/lang/Object");
    }
    if (members.names.contains(reference.member())) {
      return members.linkable.contains(reference.member()) || reference.withinPackage();
    }
    return members.parents.stream().anyMatch(parent -> has(upstream, parent, reference));
  }

  private static Set<Reference> references() throws IOException {
    Set<Reference> references = new TreeSet<>();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : files.filter(path -> isOurs(CLASSES.relativize(path))).toList()) {
        new ClassReader(Files.readAllBytes(file)).accept(new References(references), 0);
      }
    }
    return references;
  }

  private static boolean isOurs(Path file) {
    return file.toString().endsWith(".class") && !file.startsWith("org/fastpath/metrics");
  }

  private static Map<String, Members> upstream(String version) throws IOException {
    Map<String, Members> classes = new HashMap<>();
    for (String artifact : List.of("hbase-server", "hbase-common")) {
      Path path = UPSTREAM.resolve(artifact + "-" + version + ".jar");
      try (JarFile jar = new JarFile(path.toFile())) {
        for (var entry : jar.stream().filter(item -> item.getName().startsWith(HBASE)).toList()) {
          if (entry.getName().endsWith(".class")) {
            try (InputStream in = jar.getInputStream(entry)) {
              Members members = new Members();
              new ClassReader(in).accept(members, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
              classes.put(entry.getName().replace(".class", ""), members);
            }
          }
        }
      }
    }
    return classes;
  }

  /** What a class of HBase's has: all by name, and apart what a class elsewhere may use. */
  private static final class Members extends ClassVisitor {
    private final Set<String> names = new TreeSet<>();
    private final Set<String> linkable = new TreeSet<>();
    private final Set<String> parents = new TreeSet<>();

    Members() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version, int access, String name, String generics, String parent, String[] interfaces) {
      parents.add(parent);
      parents.addAll(List.of(interfaces));
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String descriptor, String generics, Object value) {
      add(access, name + ":" + descriptor);
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generics, String[] exceptions) {
      add(access, name + descriptor);
      return null;
    }

    private void add(int access, String member) {
      names.add(member);
      if ((access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0) {
        linkable.add(member);
      }
    }
  }

  /** Collects the members that code refers to. */
  private static final class References extends ClassVisitor {
    private final Set<Reference> references;
    private String from;

    References(Set<Reference> references) {
      super(Opcodes.ASM9);
      this.references = references;
    }

    @Override
    public void visit(
        int version, int access, String name, String generics, String parent, String[] interfaces) {
      from = name;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generics, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
          references.add(new Reference(from, owner, field + ":" + type));
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String method, String type, boolean isInterface) {
          references.add(new Reference(from, owner, method + type));
        }

        @Override
        public void visitInvokeDynamicInsn(
            String method, String type, Handle bootstrap, Object... arguments) {
          for (Object argument : arguments) {
            if (argument instanceof Handle handle) {
              references.add(
                  new Reference(from, handle.getOwner(), handle.getName() + handle.getDesc()));
            }
          }
        }
      };
    }
  }
}
