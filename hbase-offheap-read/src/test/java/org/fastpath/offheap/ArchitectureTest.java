package org.fastpath.offheap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Packages depend on each other in one direction, and memory is touched in one class. */
class ArchitectureTest {
  private static final Path CLASSES = Path.of("target", "classes", "org", "fastpath", "offheap");
  private static final String OURS = "org.fastpath.offheap.";
  private static final Pattern DEPENDENCY = Pattern.compile("^ +(\\S+) +-> +(\\S+) .*");

  /** The allowed dependencies of each package. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "memory", Set.of(),
          "index", Set.of("memory"),
          "policy", Set.of("memory", "index"),
          "store", Set.of("memory", "index", "policy"),
          "restart", Set.of("memory", "index", "store"),
          "status", Set.of(),
          "reader", Set.of("memory", "status"),
          "inline", Set.of("status"),
          "cache", Set.of("memory", "index", "policy", "store", "restart", "reader", "status"));

  /** Packages that must run without HBase, so that all of them can be simulated. */
  private static final List<String> WITHOUT_HBASE = List.of("memory", "index", "policy", "store");

  @Test
  void packagesDependOnEachOtherInOneDirection() throws IOException {
    Map<String, Set<String>> found = dependencies(OURS);
    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
    found.forEach(
        (from, to) -> assertThat(ALLOWED.get(from)).as("used by %s", from).containsAll(to));
  }

  @Test
  void theCoreDoesNotKnowHBase() throws IOException {
    Map<String, Set<String>> found = dependencies("org.apache.hadoop.");
    assertThat(found.keySet()).doesNotContainAnyElementsOf(WITHOUT_HBASE).contains("cache");
  }

  /** Of our packages, by their short names; of others, as they are. */
  private static Map<String, Set<String>> dependencies(String on) throws IOException {
    Map<String, Set<String>> found = new TreeMap<>();
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    assertThat(
            jdeps.run(
                writer,
                writer,
                "--multi-release",
                "base",
                "--ignore-missing-deps",
                "-verbose:class",
                "-filter:none",
                CLASSES.toString()))
        .as(out.toString())
        .isZero();
    for (String line : out.toString().split("\n")) {
      Matcher matcher = DEPENDENCY.matcher(line);
      if (matcher.matches() && matcher.group(1).startsWith(OURS)) {
        String from = packageOf(matcher.group(1));
        String to = packageOf(matcher.group(2));
        found.computeIfAbsent(from, any -> new TreeSet<>());
        if (matcher.group(2).startsWith(on) && !to.equals(from)) {
          found.get(from).add(to);
        }
      }
    }
    if (!on.equals(OURS)) {
      found.values().removeIf(Set::isEmpty);
    }
    return found;
  }

  @Test
  void unsafeServesAccessAndNewBuffersOnly() throws IOException {
    Set<String> touching = new TreeSet<>();
    for (Path file : classes()) {
      ClassReader reader = new ClassReader(Files.readAllBytes(file));
      reader.accept(
          new Calls() {
            @Override
            void call(String method, String owner, String called) {
              if (owner.equals("sun/misc/Unsafe") || owner.contains("HBasePlatformDependent")) {
                touching.add(reader.getClassName().replaceFirst("[$].*", ""));
              }
            }
          },
          0);
    }
    assertThat(touching)
        .containsExactly(
            "org/fastpath/offheap/memory/SteppedBuffers",
            "org/fastpath/offheap/memory/UnsafeAccess");
  }

  /** An access without a fence may read memory that the garbage collection has freed. */
  @Test
  void eachAccessEndsWithAFence() throws IOException {
    Set<String> accesses = new TreeSet<>();
    Set<String> fenced = new TreeSet<>();
    byte[] memory = Files.readAllBytes(CLASSES.resolve("memory").resolve("Memory.class"));
    new ClassReader(memory)
        .accept(
            new Calls() {
              @Override
              void call(String method, String owner, String called) {
                if (owner.endsWith("/RawAccess")
                    && called.matches("(get|put|compare|fill|copy).*")) {
                  accesses.add(method);
                }
                if (called.equals("reachabilityFence")) {
                  fenced.add(method);
                }
              }
            },
            0);
    assertThat(accesses).hasSizeGreaterThan(15);
    accesses.removeAll(fenced);
    // The first reads a field of a buffer object; the others are called between check and fence.
    assertThat(accesses)
        .allMatch(method -> method.matches("(addressOf|read\\w+|copy|mismatch)\\(.*"));
  }

  private static String packageOf(String name) {
    String of = name.substring(0, name.lastIndexOf('.'));
    return of.startsWith(OURS) ? of.substring(OURS.length()) : of;
  }

  private static List<Path> classes() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      return files.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  private abstract static class Calls extends ClassVisitor {
    Calls() {
      super(Opcodes.ASM9);
    }

    abstract void call(String method, String owner, String called);

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String generics, String[] exceptions) {
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String type, boolean isInterface) {
          call(name + descriptor, owner, called);
        }
      };
    }
  }
}
