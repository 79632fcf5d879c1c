package org.fastpath.zcr;

import java.nio.ByteBuffer;

/**
 * Copies bytes out of a mapping and detects a file that was truncated meanwhile.
 *
 * <p>Behind the end of a truncated file, the rest of the page reads as zeros. The next page faults,
 * which the JVM turns into an {@link InternalError}, but not at once. Compiled code goes on, and
 * the copy leaves the rest of its target unchanged. The error is thrown when the thread next leaves
 * compiled code. So neither zeros nor the lack of an error are proof. A second read of the last
 * bytes is no proof either: the kernel removes pages from the first to the last. A question to the
 * kernel for the file's length after each copy costs 0.7 µs; a copy of 64 KiB takes 5 µs.
 *
 * <p>So this class sets the last byte of the target to zero before the copy. The copy writes that
 * byte last, and not at all after a fault. If it is not zero afterwards, no fault happened, and the
 * file did not end before. If it is zero, the block may contain a zero there, and only then the
 * kernel is asked. The JVM is then forced to throw a pending error here. A page that the disk
 * cannot read also causes an error, whatever the file's length.
 *
 * <p>One case remains: the file ends in the last page of the copy while the kernel fills the rest
 * of that page with zeros. XFS does that before it changes the length, so a question would not
 * help. It would not help either if the file is truncated and grows again within one copy. Only
 * checksums protect from these cases.
 */
final class CheckedCopy {
  private static volatile int dimension = 1;
  private static volatile Object made;

  private CheckedCopy() {}

  /**
   * Copies a part of a mapping that the caller has pinned.
   *
   * @return false if the replica's file ends before or cannot be read; the copied bytes are then
   *     invalid
   */
  static boolean copy(Mapping mapping, int from, byte[] target, int index, int length) {
    return copy(mapping, from, ByteBuffer.wrap(target), index, length);
  }

  /** The same, for a buffer whose position is not changed. */
  static boolean copy(Mapping mapping, int from, ByteBuffer target, int index, int length) {
    if (length == 0) {
      return true;
    }
    int last = index + length - 1;
    try {
      target.put(last, (byte) 0);
      // A bulk copy: a loop over bytes would go on after a fault.
      target.put(index, mapping.bytes(), from, length);
      return target.get(last) != 0 || isWhole(mapping, (long) from + length);
    } catch (InternalError e) {
      return false;
    }
  }

  private static boolean isWhole(Mapping mapping, long end) {
    throwPendingError();
    return mapping.reaches(end);
  }

  /**
   * Enters the VM, which throws a pending error on its return to compiled code. Few calls of
   * compiled code enter the VM. The allocation of an array of arrays of unknown size always does.
   * The return from a native method does not throw it.
   */
  static void throwPendingError() {
    made = new byte[dimension][dimension];
  }
}
