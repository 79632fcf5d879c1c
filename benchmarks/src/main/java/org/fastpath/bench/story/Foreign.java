package org.fastpath.bench.story;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code java.lang.foreign.MemorySegment}, by method handles: the API is final since Java 22, and
 * this is compiled for 17. The handles are constants, so the JIT compiles what it would compile had
 * they been calls.
 */
final class Foreign {
  /** The first version of Java that has it for good. */
  static final int SINCE = 22;

  private static final String PACKAGE = "java.lang.foreign.";
  private static final MethodHandle LONG = getter("JAVA_LONG_UNALIGNED", "OfLong", long.class);
  private static final MethodHandle INT = getter("JAVA_INT_UNALIGNED", "OfInt", int.class);
  private static final MethodHandle SHORT = getter("JAVA_SHORT_UNALIGNED", "OfShort", short.class);
  private static final MethodHandle BYTE = getter("JAVA_BYTE", "OfByte", byte.class);
  private static final MethodHandle OF_BUFFER = ofBuffer();

  private Foreign() {}

  /** The layout's handle, which takes a segment and an offset. */
  private static MethodHandle getter(String constant, String layout, Class<?> type) {
    try {
      Class<?> layouts = Class.forName(PACKAGE + "ValueLayout");
      Class<?> own = Class.forName(PACKAGE + "ValueLayout$" + layout);
      Object bigEndian =
          layouts
              .getMethod("withOrder", ByteOrder.class)
              .invoke(own.cast(layouts.getField(constant).get(null)), ByteOrder.BIG_ENDIAN);
      VarHandle handle = (VarHandle) layouts.getMethod("varHandle").invoke(bigEndian);
      return handle
          .toMethodHandle(VarHandle.AccessMode.GET)
          .asType(MethodType.methodType(type, Object.class, long.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java has no final MemorySegment: 22 has", e);
    }
  }

  private static MethodHandle ofBuffer() {
    try {
      Class<?> segment = Class.forName(PACKAGE + "MemorySegment");
      return MethodHandles.publicLookup()
          .findStatic(segment, "ofBuffer", MethodType.methodType(segment, Buffer.class))
          .asType(MethodType.methodType(Object.class, Buffer.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java has no final MemorySegment: 22 has", e);
    }
  }

  static Object segment(ByteBuffer buffer) {
    try {
      return (Object) OF_BUFFER.invokeExact((Buffer) buffer);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static long longAt(Object segment, long offset) {
    try {
      return (long) LONG.invokeExact(segment, offset);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static int intAt(Object segment, long offset) {
    try {
      return (int) INT.invokeExact(segment, offset);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static short shortAt(Object segment, long offset) {
    try {
      return (short) SHORT.invokeExact(segment, offset);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static byte byteAt(Object segment, long offset) {
    try {
      return (byte) BYTE.invokeExact(segment, offset);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
