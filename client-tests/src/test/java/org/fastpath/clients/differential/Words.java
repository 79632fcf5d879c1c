package org.fastpath.clients.differential;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Converts bytes of keys and values to words of a program or an outcome, and back. */
final class Words {
  private static final String PLAIN =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  private static final int SHOWN = 16;

  private Words() {}

  /** Returns the bytes of a word; {@code %00} is a byte in hexadecimal. */
  static byte[] bytes(String word) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) == '%') {
        bytes.write(Integer.parseInt(word.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(word.charAt(i));
      }
    }
    return bytes.toByteArray();
  }

  /** Returns the word for bytes. */
  static String word(byte[] bytes, int offset, int length) {
    StringBuilder word = new StringBuilder();
    for (int i = offset; i < offset + length; i++) {
      char letter = (char) (bytes[i] & 0xff);
      if (PLAIN.indexOf(letter) >= 0) {
        word.append(letter);
      } else {
        word.append(String.format("%%%02x", bytes[i] & 0xff));
      }
    }
    return word.toString();
  }

  static String word(byte[] bytes) {
    return word(bytes, 0, bytes.length);
  }

  /**
   * Returns the word for a value in an outcome; a long value is replaced by length and checksum.
   */
  static String shortWord(byte[] bytes, int offset, int length) {
    if (length <= SHOWN) {
      return word(bytes, offset, length);
    }
    CRC32 sum = new CRC32();
    sum.update(bytes, offset, length);
    return word(bytes, offset, SHOWN / 2) + "~" + length + "~" + Long.toHexString(sum.getValue());
  }

  /**
   * Returns the bytes of a value. {@code 17x300} is the number 17, repeated up to 300 bytes. {@code
   * L5} is the long 5.
   */
  static byte[] value(String word) {
    if (word.startsWith("L")) {
      return longBytes(Long.parseLong(word.substring(1)));
    }
    int cross = word.indexOf('x');
    byte[] unit = (word.substring(0, cross) + ".").getBytes(StandardCharsets.ISO_8859_1);
    byte[] value = new byte[Integer.parseInt(word.substring(cross + 1))];
    for (int i = 0; i < value.length; i++) {
      value[i] = unit[i % unit.length];
    }
    return value;
  }

  private static byte[] longBytes(long number) {
    byte[] bytes = new byte[Long.BYTES];
    for (int i = 0; i < Long.BYTES; i++) {
      bytes[i] = (byte) (number >>> (8 * (Long.BYTES - 1 - i)));
    }
    return bytes;
  }
}
