package org.fastpath.offheap.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.Cleaner;
import java.lang.ref.Cleaner.Cleanable;
import java.lang.ref.Reference;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Unsafe;

/**
 * Allocates direct buffers whose memory is zeroed in steps.
 *
 * <p>In JDK 17 and 21, {@link ByteBuffer#allocateDirect} zeroes a buffer in one call, during which
 * the JVM cannot stop the thread. A garbage collection, and with it all other threads, waits for
 * the end: up to a second for 1 GiB. Here it waits for one step. Later JDKs zero in steps
 * themselves [JDK-8357959], so their own buffers are used.
 *
 * <p>The buffers count towards {@code -XX:MaxDirectMemorySize} and in the buffer pool "direct". The
 * memory is released by {@link #free}, or after no buffer over it is left. The count needs a
 * package of the JDK that HBase's start script opens. Without it, the JDK's own buffers are used.
 *
 * <p>Thread-safe.
 */
final class SteppedBuffers {
  private static final Logger LOG = LoggerFactory.getLogger(SteppedBuffers.class);

  /** The bytes that are zeroed at a time. Smaller buffers are left to the JDK. */
  static final int STEP = 256 << 10;

  private final Unsafe unsafe;
  private final long addressField;
  private final long capacityField;
  private final long limitField;

  /** The field with the object that a buffer and its views keep reachable. */
  private final long attachmentField;

  /** (bytes, bytes). */
  private final MethodHandle reserve;

  /** (bytes, bytes). */
  private final MethodHandle unreserve;

  /** New buffers begin as its duplicates. Its own memory is released, so nothing may read it. */
  private final ByteBuffer template = ByteBuffer.allocateDirect(0);

  private final Cleaner cleaner;

  /** Keeps the memory of a buffer and of its views. */
  private static final class Owner {
    /** Releases the memory, once. Set before anybody else sees the buffer. */
    private Cleanable memory;
  }

  private SteppedBuffers(Unsafe unsafe) throws ReflectiveOperationException {
    this.unsafe = unsafe;
    addressField = field(Buffer.class, "address");
    capacityField = field(Buffer.class, "capacity");
    limitField = field(Buffer.class, "limit");
    attachmentField = field(template.getClass(), "att");
    reserve = method("reserveMemory");
    unreserve = method("unreserveMemory");
    unsafe.invokeCleaner(template);
    cleaner = Cleaner.create();
  }

  /** Returns null if the JDK does it itself, or does not allow it. */
  static SteppedBuffers of(Unsafe unsafe) {
    SteppedBuffers buffers = null;
    try {
      buffers = jdkZeroesInSteps() ? null : new SteppedBuffers(unsafe);
    } catch (InaccessibleObjectException e) {
      LOG.info(
          "Garbage collections wait while the off-heap block cache reserves memory. Start the JVM"
              + " with --add-opens java.base/java.nio=ALL-UNNAMED, as HBase's start script does");
    } catch (ReflectiveOperationException | RuntimeException | LinkageError | OutOfMemoryError e) {
      LOG.info("Memory of the off-heap block cache cannot be zeroed in steps: {}", e.toString());
    }
    return buffers;
  }

  private static Class<?> bits() throws ClassNotFoundException {
    return Class.forName("java.nio.Bits");
  }

  private static boolean jdkZeroesInSteps() throws ClassNotFoundException {
    return Arrays.stream(bits().getDeclaredMethods())
        .anyMatch(method -> method.getName().equals("setMemory"));
  }

  private long field(Class<?> type, String name) throws NoSuchFieldException {
    return unsafe.objectFieldOffset(type.getDeclaredField(name));
  }

  private static MethodHandle method(String name) throws ReflectiveOperationException {
    Method method = bits().getDeclaredMethod(name, long.class, long.class);
    method.setAccessible(true);
    return MethodHandles.lookup().unreflect(method);
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

  /** Makes the buffer, which owns the memory unless this throws. */
  private ByteBuffer buffer(long address, int bytes) {
    ByteBuffer buffer = template.duplicate();
    Owner owner = new Owner();
    unsafe.putLong(buffer, addressField, address);
    unsafe.putInt(buffer, capacityField, bytes);
    unsafe.putInt(buffer, limitField, bytes);
    unsafe.putObject(buffer, attachmentField, owner);
    Runnable release = () -> release(address, bytes);
    // The last step that can throw, because from here on the collector releases the memory.
    owner.memory = cleaner.register(owner, release);
    return buffer;
  }

  /**
   * Releases the memory of a buffer of {@link #allocate}, or of a view of it. A second call has no
   * effect.
   *
   * @return false if it is another buffer
   */
  boolean free(ByteBuffer buffer) {
    if (!(unsafe.getObject(buffer, attachmentField) instanceof Owner owner)) {
      return false;
    }
    owner.memory.clean();
    Reference.reachabilityFence(buffer);
    return true;
  }

  /** Allocates nothing, so that it succeeds when the heap is full. */
  private void release(long address, long bytes) {
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
