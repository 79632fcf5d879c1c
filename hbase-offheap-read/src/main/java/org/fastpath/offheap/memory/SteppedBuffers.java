package org.fastpath.offheap.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.ref.Cleaner;
import java.lang.ref.Cleaner.Cleanable;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Unsafe;

/**
 * Allocates direct buffers whose memory is zeroed in steps.
 *
 * <p>{@link ByteBuffer#allocateDirect} zeroes a buffer in one call, during which the JVM cannot
 * stop the thread. A garbage collection, and with it all other threads, waits for the end: up to a
 * second for 1 GiB. Here it waits for one step.
 *
 * <p>In all else the buffers are like those of the JDK. They count towards {@code
 * -XX:MaxDirectMemorySize} and in the buffer pool "direct". The memory is released when no buffer
 * over it is left. The count needs a package of the JDK that HBase's start script opens. Without
 * it, the JDK's own buffers are used.
 *
 * <p>Thread-safe.
 */
final class SteppedBuffers {
  private static final Logger LOG = LoggerFactory.getLogger(SteppedBuffers.class);

  /** The bytes that are zeroed at a time. Smaller buffers are left to the JDK. */
  static final int STEP = 256 << 10;

  private final Unsafe unsafe;

  /** Buffers begin as its duplicates. It has no memory. */
  private final ByteBuffer template = ByteBuffer.allocateDirect(0);

  private final long addressField;
  private final long capacityField;
  private final long limitField;

  /** The field with the object that a buffer and its views keep reachable. */
  private final long attachmentField;

  /** (bytes, bytes). */
  private final MethodHandle reserve;

  /** (bytes, bytes). */
  private final MethodHandle unreserve;

  private final Cleaner cleaner = Cleaner.create();

  /** The memory that is not released, by its address. */
  private final Map<Long, Cleanable> allocated = new ConcurrentHashMap<>();

  private SteppedBuffers(Unsafe unsafe) throws ReflectiveOperationException {
    this.unsafe = unsafe;
    addressField = field(Buffer.class, "address");
    capacityField = field(Buffer.class, "capacity");
    limitField = field(Buffer.class, "limit");
    attachmentField = field(template.getClass(), "att");
    reserve = method("reserveMemory");
    unreserve = method("unreserveMemory");
    unsafe.invokeCleaner(template);
  }

  /** Returns null if this JVM does not allow it. */
  static SteppedBuffers of(Unsafe unsafe) {
    try {
      return new SteppedBuffers(unsafe);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.info(
          "Garbage collections wait while the off-heap block cache reserves memory, because"
              + " java.nio is not open: {}. HBase's start script opens it by --add-opens"
              + " java.base/java.nio=ALL-UNNAMED",
          e.toString());
      return null;
    }
  }

  private long field(Class<?> type, String name) throws NoSuchFieldException {
    return unsafe.objectFieldOffset(type.getDeclaredField(name));
  }

  private static MethodHandle method(String name) throws ReflectiveOperationException {
    Lookup lookup = MethodHandles.lookup();
    Method method = Class.forName("java.nio.Bits").getDeclaredMethod(name, long.class, long.class);
    method.setAccessible(true);
    return lookup.unreflect(method);
  }

  /**
   * Allocates a buffer.
   *
   * @throws OutOfMemoryError like {@link ByteBuffer#allocateDirect}
   */
  ByteBuffer allocate(int bytes) {
    if (bytes <= STEP) {
      return ByteBuffer.allocateDirect(bytes);
    }
    call(reserve, bytes);
    long address = 0;
    boolean complete = false;
    try {
      address = unsafe.allocateMemory(bytes);
      for (long at = 0; at < bytes; at += STEP) {
        unsafe.setMemory(address + at, Math.min(STEP, bytes - at), (byte) 0);
      }
      ByteBuffer buffer = buffer(address, bytes);
      complete = true;
      return buffer;
    } finally {
      if (!complete) {
        release(address, bytes);
      }
    }
  }

  private ByteBuffer buffer(long address, int bytes) {
    ByteBuffer buffer = template.duplicate();
    Object attachment = new Object();
    unsafe.putLong(buffer, addressField, address);
    unsafe.putInt(buffer, capacityField, bytes);
    unsafe.putInt(buffer, limitField, bytes);
    unsafe.putObject(buffer, attachmentField, attachment);
    allocated.put(address, cleaner.register(attachment, () -> release(address, bytes)));
    return buffer;
  }

  /** Releases the memory of a buffer of {@link #allocate}. Returns false if it is another one. */
  boolean free(ByteBuffer buffer) {
    Cleanable memory = allocated.get(unsafe.getLong(buffer, addressField));
    if (memory != null) {
      memory.clean();
    }
    return memory != null;
  }

  private void release(long address, long bytes) {
    // From here on the JVM may give this address to another thread.
    allocated.remove(address);
    unsafe.freeMemory(address);
    call(unreserve, bytes);
  }

  private static void call(MethodHandle method, long bytes) {
    try {
      method.invokeExact(bytes, bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the count of direct memory failed", e);
    }
  }
}
