package org.fastpath.common.guard;

import static org.fastpath.common.guard.ConstantPool.CLASS;
import static org.fastpath.common.guard.ConstantPool.DOUBLE;
import static org.fastpath.common.guard.ConstantPool.DYNAMIC;
import static org.fastpath.common.guard.ConstantPool.FLOAT;
import static org.fastpath.common.guard.ConstantPool.INTEGER;
import static org.fastpath.common.guard.ConstantPool.LONG;
import static org.fastpath.common.guard.ConstantPool.METHOD_HANDLE;
import static org.fastpath.common.guard.ConstantPool.METHOD_TYPE;
import static org.fastpath.common.guard.ConstantPool.STRING;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.fastpath.common.guard.ClassFile.Member;

/**
 * Sums up the normalized bytecode of a method. Two methods with one digest do the same.
 *
 * <p>Normalized means:
 *
 * <ul>
 *   <li>A constant counts by its value, not by its place in the pool; {@code ldc_w} is {@code ldc},
 *       and {@code goto_w} is {@code goto}.
 *   <li>A jump counts by the number of its target among the instructions.
 *   <li>The body of a lambda, and of an {@code access$000}, takes the place of its name: the
 *       compiler numbers these names through the class.
 *   <li>The number of an anonymous class does not count.
 *   <li>Line numbers, names of local variables, stack maps and annotations do not count.
 * </ul>
 */
final class CodeDigest {
  private static final Pattern ANONYMOUS = Pattern.compile("\\$\\d+");
  private static final Pattern ACCESSOR = Pattern.compile("access\\$\\d+");
  private static final String LAMBDA = "lambda$";

  private final Classes classes;
  private final Fingerprint sum = new Fingerprint();

  /** The bodies in progress, so that a recursive body is not summed up within itself. */
  private final Set<String> open = new HashSet<>();

  private CodeDigest(Classes classes) {
    this.classes = classes;
  }

  /** Returns the digest of a method that is declared in a class. */
  static long of(ClassFile file, Member method, Classes classes) {
    CodeDigest digest = new CodeDigest(classes);
    digest.add(file, method);
    return digest.sum.value();
  }

  private void add(ClassFile file, Member method) {
    String name = file.name() + '.' + method.key();
    if (!open.add(name)) {
      sum.add("within itself");
      return;
    }
    int kind = ClassFile.STATIC | ClassFile.SYNCHRONIZED | ClassFile.NATIVE | ClassFile.ABSTRACT;
    sum.add(method.access() & kind);
    if (method.code() >= 0) {
      new Body(file, method.code()).add();
    }
    open.remove(name);
  }

  private static String normal(String name) {
    return name.indexOf('$') < 0 ? name : ANONYMOUS.matcher(name).replaceAll("\\$#");
  }

  /** The code of one method. */
  private final class Body {
    private final ClassFile file;
    private final ByteBuffer bytes;
    private final ConstantPool constants;
    private final int start;
    private final int end;

    /** By offset in the code: the number of the instruction that begins there. */
    private final int[] numbers;

    Body(ClassFile file, int code) {
      this.file = file;
      bytes = file.bytes();
      constants = file.constants();
      start = code + 8;
      end = start + bytes.getInt(code + 4);
      numbers = new int[end - start + 1];
    }

    void add() {
      int count = 0;
      for (int at = start; at < end; at = next(at)) {
        numbers[at - start] = count++;
      }
      numbers[end - start] = count;
      for (int at = start; at < end; at = next(at)) {
        instruction(at);
      }
      handlers();
    }

    private int opcode(int at) {
      return bytes.get(at) & 0xff;
    }

    private int unsigned(int at) {
      return bytes.getShort(at) & 0xffff;
    }

    private int next(int at) {
      return at
          + switch (Opcodes.kind(opcode(at))) {
            case Opcodes.NONE -> 1;
            case Opcodes.BYTE, Opcodes.CONSTANT -> 2;
            case Opcodes.SHORT,
                Opcodes.CONSTANT_W,
                Opcodes.INCREMENT,
                Opcodes.JUMP,
                Opcodes.REFERENCE ->
                3;
            case Opcodes.ARRAYS -> 4;
            case Opcodes.JUMP_W, Opcodes.INTERFACE_CALL, Opcodes.DYNAMIC_CALL -> 5;
            case Opcodes.WIDENED -> opcode(at + 1) == Opcodes.IINC ? 6 : 4;
            case Opcodes.TABLE -> {
              int table = table(at);
              yield table + 12 + 4 * (bytes.getInt(table + 8) - bytes.getInt(table + 4) + 1) - at;
            }
            case Opcodes.LOOKUP -> {
              int table = table(at);
              yield table + 8 + 8 * bytes.getInt(table + 4) - at;
            }
            default -> throw new IllegalArgumentException("instruction " + opcode(at));
          };
    }

    /** Operands of switches begin at a multiple of 4. */
    private int table(int at) {
      return start + (at - start + 4 & ~3);
    }

    private void instruction(int at) {
      int opcode = opcode(at);
      switch (Opcodes.kind(opcode)) {
        case Opcodes.CONSTANT -> constant(opcode, opcode(at + 1));
        case Opcodes.CONSTANT_W -> constant(opcode, unsigned(at + 1));
        case Opcodes.JUMP -> jump(opcode, at, bytes.getShort(at + 1));
        case Opcodes.JUMP_W ->
            jump(opcode - Opcodes.GOTO_W + Opcodes.GOTO, at, bytes.getInt(at + 1));
        case Opcodes.TABLE, Opcodes.LOOKUP -> choice(opcode, at);
        case Opcodes.REFERENCE, Opcodes.INTERFACE_CALL -> {
          sum.add(opcode);
          reference(unsigned(at + 1));
        }
        case Opcodes.DYNAMIC_CALL -> {
          sum.add(opcode);
          dynamic(unsigned(at + 1));
        }
        case Opcodes.ARRAYS -> {
          sum.add(opcode);
          reference(unsigned(at + 1));
          sum.add(opcode(at + 3));
        }
        default -> plain(at);
      }
    }

    private void plain(int at) {
      for (int next = next(at), from = at; from < next; from++) {
        sum.add(opcode(from));
      }
    }

    private void constant(int opcode, int index) {
      sum.add(opcode == Opcodes.LDC_W ? Opcodes.LDC : opcode);
      constant(index);
    }

    private void jump(int opcode, int at, int distance) {
      sum.add(opcode);
      target(at, distance);
    }

    private void target(int at, int distance) {
      sum.add(numbers[at + distance - start]);
    }

    private void choice(int opcode, int at) {
      sum.add(opcode);
      int table = table(at);
      target(at, bytes.getInt(table));
      if (opcode == Opcodes.TABLESWITCH) {
        sum.add(bytes.getInt(table + 4)).add(bytes.getInt(table + 8));
        for (int entry = table + 12; entry < next(at); entry += 4) {
          target(at, bytes.getInt(entry));
        }
      } else {
        for (int entry = table + 8; entry < next(at); entry += 8) {
          sum.add(bytes.getInt(entry));
          target(at, bytes.getInt(entry + 4));
        }
      }
    }

    private void handlers() {
      int count = unsigned(end);
      for (int at = end + 2; at < end + 2 + 8 * count; at += 8) {
        sum.add(numbers[unsigned(at)]);
        sum.add(numbers[unsigned(at + 2)]);
        sum.add(numbers[unsigned(at + 4)]);
        int type = unsigned(at + 6);
        sum.add(type == 0 ? "any" : normal(constants.className(type)));
      }
    }

    private void constant(int index) {
      int tag = constants.tag(index);
      sum.add(tag);
      switch (tag) {
        case INTEGER, FLOAT -> sum.add(constants.intAt(index));
        case LONG, DOUBLE -> sum.add(constants.longAt(index));
        case STRING -> sum.add(constants.text(index));
        case CLASS, METHOD_TYPE -> sum.add(normal(constants.text(index)));
        case METHOD_HANDLE -> {
          sum.add(constants.byteAt(index, 0));
          reference(constants.index(index, 1));
        }
        case DYNAMIC -> dynamic(index);
        default -> reference(index);
      }
    }

    private void reference(int index) {
      if (constants.tag(index) == CLASS) {
        sum.add(normal(constants.text(index)));
        return;
      }
      String owner = constants.owner(index);
      String name = constants.name(index);
      String descriptor = constants.descriptor(index);
      if (isNumbered(owner, name) && body(owner, name + descriptor)) {
        return;
      }
      sum.add(normal(owner)).add(name).add(normal(descriptor));
    }

    private boolean isNumbered(String owner, String name) {
      return name.startsWith(LAMBDA) && owner.equals(file.name())
          || ACCESSOR.matcher(name).matches();
    }

    /** Sums up a body in the place of its name. Returns false if there is none. */
    private boolean body(String owner, String key) {
      ClassFile holder = owner.equals(file.name()) ? file : classes.find(owner);
      Member target = holder == null ? null : holder.method(key);
      if (target == null || !target.is(ClassFile.SYNTHETIC)) {
        return false;
      }
      sum.add("body of").add(normal(target.descriptor()));
      CodeDigest.this.add(holder, target);
      return true;
    }

    private void dynamic(int index) {
      sum.add(constants.name(index)).add(normal(constants.descriptor(index)));
      int bootstrap = file.bootstrap(constants.index(index, 0));
      constant(unsigned(bootstrap));
      int arguments = unsigned(bootstrap + 2);
      for (int argument = 0; argument < arguments; argument++) {
        constant(unsigned(bootstrap + 4 + 2 * argument));
      }
    }
  }
}
