package org.fastpath.offheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Each method of {@link Memory} that reads or writes by address keeps the owner of the bytes
 * reachable until its end. A fence follows the last access. Without it the collector may free an
 * index that was replaced while a reader is inside. As a JVM rarely does, the bytecode is looked
 * at.
 */
class MemoryFenceTest {
  private static final String MEMORY = Memory.class.getName().replace('.', '/');
  private static final String RAW = RawAccess.class.getName().replace('.', '/');
  private static final String FENCE = "reachabilityFence";

  /** Methods of {@link RawAccess} that access no bytes of a range. */
  private static final Set<String> HARMLESS =
      Set.of("byteArrayBase", "longArrayBase", "address", "allocate", "free");

  private record Call(String owner, String name) {}

  private record Method(String name, boolean isPrivate, List<Call> calls) {}

  private static List<Method> methods() throws IOException {
    List<Method> methods = new ArrayList<>();
    new ClassReader(MEMORY)
        .accept(
            new ClassVisitor(Opcodes.ASM9) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String descriptor, String generic, String[] thrown) {
                List<Call> calls = new ArrayList<>();
                boolean isPrivate = (access & Opcodes.ACC_PRIVATE) != 0;
                methods.add(new Method(name + descriptor, isPrivate, calls));
                return new MethodVisitor(Opcodes.ASM9) {
                  @Override
                  public void visitMethodInsn(
                      int opcode, String owner, String called, String type, boolean isInterface) {
                    calls.add(new Call(owner, owner.equals(MEMORY) ? called + type : called));
                  }
                };
              }
            },
            0);
    return methods;
  }

  /** Private methods that access memory and leave the fence to their callers. */
  private static Set<String> helpers(List<Method> methods) {
    Set<String> helpers = new HashSet<>();
    int before;
    do {
      before = helpers.size();
      for (Method method : methods) {
        if (method.isPrivate && lastAccess(method, helpers) >= 0) {
          helpers.add(method.name);
        }
      }
    } while (helpers.size() > before);
    return helpers;
  }

  private static int lastAccess(Method method, Set<String> helpers) {
    int last = -1;
    for (int i = 0; i < method.calls.size(); i++) {
      Call call = method.calls.get(i);
      boolean access =
          call.owner.equals(RAW)
              ? !HARMLESS.contains(call.name)
              : call.owner.equals(MEMORY) && helpers.contains(call.name);
      last = access ? i : last;
    }
    return last;
  }

  private static int lastFence(Method method) {
    int last = -1;
    for (int i = 0; i < method.calls.size(); i++) {
      last = method.calls.get(i).name.equals(FENCE) ? i : last;
    }
    return last;
  }

  @Test
  void aFenceStandsBehindEachAccess() throws IOException {
    List<Method> methods = methods();
    Set<String> helpers = helpers(methods);
    Map<String, Integer> accesses = new HashMap<>();
    Set<String> unfenced = new TreeSet<>();
    for (Method method : methods) {
      int last = method.isPrivate ? -1 : lastAccess(method, helpers);
      if (last >= 0) {
        accesses.put(method.name, last);
        if (lastFence(method) < last) {
          unfenced.add(method.name);
        }
      }
    }
    assertThat(unfenced).isEmpty();
    assertThat(accesses).hasSizeGreaterThan(15);
  }
}
