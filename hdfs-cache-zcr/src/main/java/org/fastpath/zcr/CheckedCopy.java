package org.fastpath.zcr;

import java.nio.ByteBuffer;

/**
 * Copies out of a mapping such that a file truncated beneath it is noticed.
 *
 * <p>What lies behind the end of a truncated file reads as zeros up to the end of the page, and
 * from the next page on faults, which the JVM turns into an {@link InternalError}. But not at once:
 * compiled code goes on, the copy leaves the rest of its target as it was, and the error is thrown
 * where the thread next leaves compiled code, however long after. So neither zeros nor the lack of
 * an error tell. Nor does a second look at what was copied last: the kernel takes pages out of a
 * mapping from the first to the last, and a thread can fault on one and still read the next. Asking
 * the kernel for the file's length after each copy would, at the price of 0.7 µs, beside 5 µs for
 * the copy of 64 KiB.
 *
 * <p>So the last byte of the target is made zero before the copy, which writes it last, and not at
 * all if there was a fault before. If it is no longer zero, there was none, and the file did not
 * end before. If it is zero, the block may have a zero there, and only then the kernel is asked.
 * The JVM is then made to throw the error that it may have pending, here and not in the midst of
 * something else; a page that the disk did not give up has one as well, whatever the file's length.
 *
 * <p>What is left is a copy that ends in the very page in which the file ends from now on, while
 * the kernel fills the rest of that page with zeros. XFS does that before it changes the length, so
 * that asking would not help either, as it would not against a file that is truncated and grows
 * again within one copy: who wants to be safe from that has to verify checksums.
 */
final class CheckedCopy {
  private static volatile int dimension = 1;
  private static volatile Object made;

  private CheckedCopy() {}

  /**
   * Copies a part of a mapping that the caller has pinned.
   *
   * @return false if the replica's file ends before or cannot be read; what was copied is then
   *     worth nothing
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
      // As a block: a loop over bytes would go on behind a fault.
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
   * Enters the VM, which throws a pending error on the way back. It does so for few things that
   * compiled code calls; an array of arrays whose size it cannot know is always made by the VM. The
   * return from a native method is none of them.
   */
  private static void throwPendingError() {
    made = new byte[dimension][dimension];
  }
}
