package org.fastpath.checksum;

import java.nio.ByteOrder;
import org.apache.hadoop.fs.ChecksumException;

/** Words a mismatch as Hadoop does, so that parsers of logs keep working. */
public final class Mismatches {
  private Mismatches() {}

  /**
   * Returns the exception for one chunk.
   *
   * @param libhadoop whether stock Hadoop would have found it in native code, which uses other
   *     words
   */
  public static ChecksumException exception(
      boolean libhadoop,
      CrcAlgorithm algorithm,
      String file,
      long position,
      int expected,
      int computed) {
    String message =
        libhadoop
            ? inNativeWords(file, position, expected, computed)
            : inJavaWords(algorithm, file, position, expected, computed);
    return new ChecksumException(message, position);
  }

  /** libhadoop prints both checksums as the machine reads the file's big endian bytes. */
  private static String inNativeWords(String file, long position, int expected, int computed) {
    boolean swap = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    int shownExpected = swap ? Integer.reverseBytes(expected) : expected;
    int shownComputed = swap ? Integer.reverseBytes(computed) : computed;
    return "Checksum error: "
        + file
        + " at "
        + position
        + " exp: "
        + shownExpected
        + " got: "
        + shownComputed;
  }

  private static String inJavaWords(
      CrcAlgorithm algorithm, String file, long position, int expected, int computed) {
    return "Checksum "
        + algorithm
        + " not matched for file "
        + file
        + " at position "
        + position
        + String.format(": expected=%X but computed=%X", expected, computed)
        + ", algorithm="
        + algorithm;
  }
}
