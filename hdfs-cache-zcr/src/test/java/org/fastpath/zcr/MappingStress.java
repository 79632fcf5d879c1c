package org.fastpath.zcr;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The life of a mapping under jcstress; {@link MappingStressTest} runs it. Each test has a mapping
 * of its own, of one word of memory. A reader reports 1 if it got a pin. A mapping reports 1 if it
 * was retired and unmapped once, and a large number after a later read.
 */
public final class MappingStress {
  private static final BlockVersion BLOCK = new BlockVersion(new ExtendedBlockId(1, "pool"), 1);
  private static final ByteBuffer BYTES = ByteBuffer.allocate(1);
  private static final int READ_AFTER_UNMAP = 100;

  private MappingStress() {}

  /** A replica whose memory is one plain word. */
  private static final class Replica implements MappedReplica {
    private volatile boolean valid = true;
    private boolean mapped = true;
    private final AtomicInteger unmapped = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();

    /** 1 if the memory is mapped. */
    int read() {
      return mapped ? 1 : READ_AFTER_UNMAP;
    }

    @Override
    public ByteBuffer bytes() {
      return BYTES;
    }

    @Override
    public boolean isAnchored() {
      return true;
    }

    @Override
    public boolean isValid() {
      late.addAndGet(read() - 1);
      return valid;
    }

    @Override
    public boolean isCurrent() {
      return isValid();
    }

    @Override
    public boolean reaches(long length) {
      return isValid();
    }

    @Override
    public boolean isOpen() {
      return isValid();
    }

    @Override
    public void invalidate() {
      isValid();
    }

    @Override
    public void unmap() {
      mapped = false;
      unmapped.incrementAndGet();
    }
  }

  /** A mapping that nobody has pinned, and what became of it. */
  private static final class Life implements Mapping.Owner {
    private final Replica replica = new Replica();
    private final Mapping mapping = new Mapping(BLOCK, replica, 1, 0, this);
    private final AtomicInteger retired = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    Life() {
      mapping.unpin();
    }

    int pinAndRead() {
      if (!mapping.pin()) {
        return 0;
      }
      int read = replica.read();
      mapping.unpin();
      return read;
    }

    /** 1 if everything that ends a mapping happened once, after it was retired at the latest. */
    int endsOnce() {
      mapping.retire(Retirement.CLOSED);
      boolean once = retired.get() == 1 && ended.get() == 1 && replica.unmapped.get() == 1;
      return once ? 1 + replica.late.get() : READ_AFTER_UNMAP + replica.unmapped.get();
    }

    @Override
    public void retired(Mapping mapping, Retirement why, boolean held) {
      retired.incrementAndGet();
    }

    @Override
    public void unused(Mapping mapping, boolean held) {
      mapping.unmap();
      ended.incrementAndGet();
    }
  }

  /**
   * A reader and a thread that retires, at first only an unread mapping. The memory is unmapped
   * once, and not during a read.
   */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "let in or refused, and unmapped once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "read after unmap, unmapped twice, or never")
  @State
  public static class ReaderAndRetirement {
    private final Life life = new Life();

    /** A reader. */
    @Actor
    public void reads(II_Result result) {
      result.r1 = life.pinAndRead();
    }

    /** The thread that needs the room and closes all. */
    @Actor
    public void retires() {
      if (!life.mapping.retireUnused(Retirement.REPLACED)) {
        life.mapping.retire(Retirement.CLOSED);
      }
    }

    /** After both. */
    @Arbiter
    public void ends(II_Result result) {
      result.r2 = life.endsOnce();
    }
  }

  /** The last two readers leave, and one of them retires it before: one of them unmaps it. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "unmapped once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "unmapped twice, or never")
  @State
  public static class LastReaders {
    private final Life life = new Life();

    /** Held by two. */
    public LastReaders() {
      life.mapping.pin();
      life.mapping.pin();
    }

    /** A reader. */
    @Actor
    public void one() {
      life.mapping.unpin();
    }

    /** Another one. */
    @Actor
    public void two() {
      life.mapping.retire(Retirement.CLOSED);
      life.mapping.unpin();
    }

    /** After both. */
    @Arbiter
    public void ends(I_Result result) {
      result.r1 = life.endsOnce();
    }
  }

  /**
   * A reader finds the replica gone while the sweep does: each retires it, and the slot is safe.
   */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "refused, and unmapped once")
  @Outcome(
      expect = Expect.FORBIDDEN,
      desc = "let in, slot read after unmap, unmapped twice, or never")
  @State
  public static class ReaderAndSweep {
    private final Life life = new Life();

    /** Gone. */
    public ReaderAndSweep() {
      life.replica.valid = false;
    }

    /** A reader. */
    @Actor
    public void reads(II_Result result) {
      result.r1 = life.pinAndRead();
    }

    /** The sweep. */
    @Actor
    public void sweeps() {
      life.mapping.check();
      life.mapping.retireUnused(Retirement.IDLE);
    }

    /** After both. */
    @Arbiter
    public void ends(II_Result result) {
      result.r2 = life.endsOnce();
    }
  }

  /** A pin that counts itself after it looked whether it may: the run must find it. */
  @JCStressTest
  @Outcome(
      id = {"1", "0"},
      expect = Expect.ACCEPTABLE,
      desc = "let in or refused")
  @Outcome(expect = Expect.FORBIDDEN, desc = "read after unmap")
  @State
  public static class Broken {
    private volatile boolean retired;
    private volatile int pins;
    private volatile boolean mapped = true;

    /** A reader that looks first and counts itself then. */
    @Actor
    public void reads(I_Result result) {
      if (!retired) {
        pins = 1;
        result.r1 = mapped ? 1 : READ_AFTER_UNMAP;
        pins = 0;
      }
    }

    /** The thread that retires. */
    @Actor
    public void retires() {
      retired = true;
      if (pins == 0) {
        mapped = false;
      }
    }
  }
}
