package org.fastpath.common.guard;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the constant pool of a class file (JVMS 4.4).
 *
 * <p>Strings are decoded when they are first asked for: most are never needed. Not thread-safe.
 */
final class ConstantPool {
  static final int UTF8 = 1;
  static final int INTEGER = 3;
  static final int FLOAT = 4;
  static final int LONG = 5;
  static final int DOUBLE = 6;
  static final int CLASS = 7;
  static final int STRING = 8;
  static final int FIELD = 9;
  static final int METHOD = 10;
  static final int INTERFACE_METHOD = 11;
  static final int NAME_AND_TYPE = 12;
  static final int METHOD_HANDLE = 15;
  static final int METHOD_TYPE = 16;
  static final int DYNAMIC = 17;
  static final int INVOKE_DYNAMIC = 18;

  private final ByteBuffer file;

  /** Where the content of an entry begins, behind its tag; 0 for the unused half of a long. */
  private final int[] offsets;

  private final String[] texts;

  /** Reads the pool at the buffer's position and leaves the position behind it. */
  ConstantPool(ByteBuffer file) {
    this.file = file;
    int count = file.getShort() & 0xffff;
    offsets = new int[count];
    texts = new String[count];
    for (int index = 1; index < count; index++) {
      int tag = file.get();
      offsets[index] = file.position();
      file.position(file.position() + length(tag));
      if (tag == LONG || tag == DOUBLE) {
        index++;
      }
    }
  }

  private int length(int tag) {
    return switch (tag) {
      case UTF8 -> 2 + (file.getShort(file.position()) & 0xffff);
      case CLASS, STRING, METHOD_TYPE, 19, 20 -> 2;
      case METHOD_HANDLE -> 3;
      case INTEGER, FLOAT, FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE -> 4;
      case DYNAMIC, INVOKE_DYNAMIC -> 4;
      case LONG, DOUBLE -> 8;
      default -> throw new IllegalArgumentException("tag " + tag + " of a constant");
    };
  }

  int size() {
    return offsets.length;
  }

  /** Returns the tag of an entry; 0 if the index has no entry. */
  int tag(int index) {
    return offsets[index] == 0 ? 0 : file.get(offsets[index] - 1);
  }

  /** Returns an unsigned short of an entry, such as the index of another one. */
  int index(int entry, int offset) {
    return file.getShort(offsets[entry] + offset) & 0xffff;
  }

  int byteAt(int entry, int offset) {
    return file.get(offsets[entry] + offset) & 0xff;
  }

  int intAt(int entry) {
    return file.getInt(offsets[entry]);
  }

  long longAt(int entry) {
    return file.getLong(offsets[entry]);
  }

  String utf8(int index) {
    if (texts[index] == null) {
      texts[index] = decode(offsets[index]);
    }
    return texts[index];
  }

  private String decode(int offset) {
    int length = file.getShort(offset) & 0xffff;
    char[] ascii = new char[length];
    for (int i = 0; i < length; i++) {
      byte next = file.get(offset + 2 + i);
      if (next <= 0) {
        return decodeModified(offset, length);
      }
      ascii[i] = (char) next;
    }
    return new String(ascii);
  }

  private String decodeModified(int offset, int length) {
    byte[] bytes = new byte[length + 2];
    file.get(offset, bytes);
    try (DataInputStream in = new DataInputStream(new java.io.ByteArrayInputStream(bytes))) {
      return in.readUTF();
    } catch (IOException e) {
      throw new IllegalArgumentException("a string that is not modified UTF-8", e);
    }
  }

  /** Returns the text of an entry that refers to one string: a class, string or method type. */
  String text(int entry) {
    return utf8(index(entry, 0));
  }

  /** Returns the internal name of a class, or null for index 0. */
  String className(int entry) {
    return entry == 0 ? null : text(entry);
  }

  /** Returns the class that a field or method is looked up in. */
  String owner(int entry) {
    return className(index(entry, 0));
  }

  /** Returns the name of a field, method or dynamic constant. */
  String name(int entry) {
    return utf8(index(index(entry, 2), 0));
  }

  /** Returns the descriptor of a field, method or dynamic constant. */
  String descriptor(int entry) {
    return utf8(index(index(entry, 2), 2));
  }
}
