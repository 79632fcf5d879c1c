package org.fastpath.checksum;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The members that other classes and libhadoop can link to: those that are not private, and native
 * methods. Reads class files, so that classes of one name and several versions can be compared.
 */
final class Signatures {
  private static final int KIND =
      Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_NATIVE | Opcodes.ACC_ABSTRACT;
  private static final int VISIBILITY =
      Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED | Opcodes.ACC_PRIVATE;

  private record Member(int access, String exceptions, Object constant) {}

  private final Map<String, Member> members = new TreeMap<>();

  private Signatures() {}

  static Signatures of(InputStream classFile) throws IOException {
    Signatures signatures = new Signatures();
    new ClassReader(classFile)
        .accept(signatures.new Reader(), ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    return signatures;
  }

  /**
   * Returns the members of {@code upstream} that are missing or different here; empty if this class
   * can replace it.
   */
  List<String> lacking(Signatures upstream) {
    List<String> differences = new ArrayList<>();
    upstream.members.forEach(
        (name, theirs) -> {
          Member ours = members.get(name);
          if (ours == null) {
            differences.add("missing: " + name);
          } else if (!sameKind(theirs, ours)) {
            differences.add("differs: " + name + ": " + theirs + " is here " + ours);
          }
        });
    return differences;
  }

  int size() {
    return members.size();
  }

  private static boolean sameKind(Member theirs, Member ours) {
    boolean visible =
        (theirs.access & Opcodes.ACC_PRIVATE) != 0
            || (theirs.access & VISIBILITY) == (ours.access & VISIBILITY);
    return visible
        && (theirs.access & KIND) == (ours.access & KIND)
        && theirs.exceptions.equals(ours.exceptions)
        && String.valueOf(theirs.constant).equals(String.valueOf(ours.constant));
  }

  private final class Reader extends ClassVisitor {
    Reader() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visit(
        int version, int access, String name, String generics, String parent, String[] interfaces) {
      String shape = "class " + name + " extends " + parent + " implements " + List.of(interfaces);
      members.put(shape, new Member(access & (KIND | VISIBILITY), "", null));
    }

    @Override
    public FieldVisitor visitField(
        int access, String name, String descriptor, String generics, Object value) {
      put(access, name + " " + descriptor, "", value);
      return null;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generics, String[] exceptions) {
      // That a native method may throw is not said upstream; the JVM does not ask.
      boolean checked = exceptions != null && (access & Opcodes.ACC_NATIVE) == 0;
      put(access, name + descriptor, checked ? String.join(",", exceptions) : "", null);
      return null;
    }

    private void put(int access, String name, String exceptions, Object value) {
      boolean linkable = (access & Opcodes.ACC_PRIVATE) == 0 || (access & Opcodes.ACC_NATIVE) != 0;
      boolean compilers = (access & Opcodes.ACC_SYNTHETIC) != 0 || name.startsWith("<clinit>");
      if (linkable && !compilers) {
        members.put(name, new Member(access, exceptions, value));
      }
    }
  }
}
