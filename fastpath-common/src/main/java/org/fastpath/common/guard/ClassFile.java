package org.fastpath.common.guard;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a class file: its parents, its members, and where the code of its methods is (JVMS 4).
 *
 * <p>HBase and Hadoop bring no library for this, and each jar would have to carry one. It reads all
 * versions of class files: none of its rules depends on the version.
 */
final class ClassFile {
  static final int PUBLIC = 0x1;
  static final int PRIVATE = 0x2;
  static final int PROTECTED = 0x4;
  static final int STATIC = 0x8;
  static final int FINAL = 0x10;
  static final int SYNCHRONIZED = 0x20;
  static final int NATIVE = 0x100;
  static final int INTERFACE = 0x200;
  static final int ABSTRACT = 0x400;
  static final int SYNTHETIC = 0x1000;

  private static final int MAGIC = 0xcafebabe;

  private final ByteBuffer file;
  private final ConstantPool constants;
  private final int access;
  private final String name;
  private final String parent;
  private final List<String> interfaces = new ArrayList<>();
  private final Map<String, Member> fields;
  private final Map<String, Member> methods;
  private int bootstraps = -1;

  /**
   * A field or a method.
   *
   * @param code where its Code attribute's content begins; -1 if it has none
   */
  record Member(int access, String name, String descriptor, int code) {
    boolean is(int flag) {
      return (access & flag) != 0;
    }

    /** Name and descriptor, by which a class knows its members. */
    String key() {
      return name + descriptor;
    }
  }

  /**
   * Reads a class file.
   *
   * @throws IllegalArgumentException if the bytes are none
   */
  static ClassFile of(byte[] bytes) {
    try {
      return new ClassFile(ByteBuffer.wrap(bytes));
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a class file that ends too early", e);
    }
  }

  private ClassFile(ByteBuffer file) {
    this.file = file;
    if (file.getInt() != MAGIC) {
      throw new IllegalArgumentException("not a class file");
    }
    file.getInt();
    constants = new ConstantPool(file);
    access = file.getShort();
    name = constants.className(file.getShort() & 0xffff);
    parent = constants.className(file.getShort() & 0xffff);
    for (int left = file.getShort() & 0xffff; left > 0; left--) {
      interfaces.add(constants.className(file.getShort() & 0xffff));
    }
    fields = members();
    methods = members();
    attributes();
  }

  private Map<String, Member> members() {
    Map<String, Member> members = new LinkedHashMap<>();
    for (int left = file.getShort() & 0xffff; left > 0; left--) {
      int flags = file.getShort();
      String member = constants.utf8(file.getShort() & 0xffff);
      String descriptor = constants.utf8(file.getShort() & 0xffff);
      Member read = new Member(flags, member, descriptor, attributes());
      members.put(read.key(), read);
    }
    return members;
  }

  /** Skips attributes. Returns where the Code is, and remembers where bootstrap methods are. */
  private int attributes() {
    int code = -1;
    for (int left = file.getShort() & 0xffff; left > 0; left--) {
      String attribute = constants.utf8(file.getShort() & 0xffff);
      int length = file.getInt();
      if (attribute.equals("Code")) {
        code = file.position();
      } else if (attribute.equals("BootstrapMethods")) {
        bootstraps = file.position();
      }
      if (length < 0 || length > file.remaining()) {
        throw new IllegalArgumentException("an attribute of " + length + " bytes");
      }
      file.position(file.position() + length);
    }
    return code;
  }

  ByteBuffer bytes() {
    return file;
  }

  ConstantPool constants() {
    return constants;
  }

  boolean is(int flag) {
    return (access & flag) != 0;
  }

  String name() {
    return name;
  }

  /** Returns the name of the class above; null for {@code java/lang/Object}. */
  String parent() {
    return parent;
  }

  List<String> interfaces() {
    return interfaces;
  }

  Iterable<Member> fields() {
    return fields.values();
  }

  Iterable<Member> methods() {
    return methods.values();
  }

  /** Returns a field by name and descriptor, or null. */
  Member field(String key) {
    return fields.get(key);
  }

  /** Returns a method by name and descriptor, or null. */
  Member method(String key) {
    return methods.get(key);
  }

  /** Returns where a bootstrap method begins in the file. */
  int bootstrap(int index) {
    int at = bootstraps + 2;
    for (int before = 0; before < index; before++) {
      at += 4 + 2 * (file.getShort(at + 2) & 0xffff);
    }
    return at;
  }
}
