package org.fastpath.zcr;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Copies out of a mapping such that a file truncated beneath it is noticed.
 *
 * <p>What lies behind the end of a truncated file reads as zeros up to the end of the page, and
 * from the next page on faults, which the JVM turns into an {@link InternalError}. But not at once:
 * compiled code goes on, the copy leaves its target as it was, and the error is thrown where the
 * thread next leaves compiled code, however long after. So neither zeros nor the lack of an error
 * tell. Asking the kernel for the file's length after each copy would, at the price of a system
 * call.
 *
 * <p>A file is truncated from its end, so what is copied last tells of all before: the last bytes
 * are copied by themselves behind the rest, into a target whose last byte was made zero. If it is
 * no longer zero, all bytes were there when they were copied. If it is zero, the block may have a
 * zero there, and only then the kernel is asked. If the file is too short, the JVM is made to throw
 * the error that it may have pending, here and not in the midst of something else. Against a file
 * that is truncated and grows again within one copy this is no help, and nothing would be.
 */
final class CheckedCopy {
  /** What the JDK copies as a block and not byte by byte; for those a fault leaves garbage. */
  private static final int TAIL_BYTES = 16;

  private static volatile int dimension = 1;
  private static volatile Object made;

  private CheckedCopy() {}

  /**
   * Copies a part of a mapping that the caller has pinned.
   *
   * @return false if the replica's file ends before; what was copied is then worth nothing
   */
  static boolean copy(Mapping mapping, int from, byte[] target, int index, int length) {
    if (length < TAIL_BYTES) {
      return copy(mapping, from, ByteBuffer.wrap(target), index, length);
    }
    int last = index + length - 1;
    int body = length - TAIL_BYTES;
    try {
      mapping.bytes().get(from, target, index, body);
      target[last] = 0;
      VarHandle.loadLoadFence();
      mapping.bytes().get(from + body, target, index + body, TAIL_BYTES);
      return target[last] != 0 || isWhole(mapping, (long) from + length);
    } catch (InternalError e) {
      return false;
    }
  }

  /** The same, for a buffer whose position is not changed. */
  static boolean copy(Mapping mapping, int from, ByteBuffer target, int index, int length) {
    if (length == 0) {
      return true;
    }
    int last = index + length - 1;
    int body = Math.max(0, length - TAIL_BYTES);
    try {
      target.put(index, mapping.bytes(), from, body);
      target.put(last, (byte) 0);
      VarHandle.loadLoadFence();
      target.put(index + body, mapping.bytes(), from + body, length - body);
      return target.get(last) != 0 || isWhole(mapping, (long) from + length);
    } catch (InternalError e) {
      return false;
    }
  }

  private static boolean isWhole(Mapping mapping, long end) {
    if (mapping.reaches(end)) {
      return true;
    }
    throwPendingError();
    return false;
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
