package org.fastpath.offheap.store;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The count of a pin; {@link org.fastpath.offheap.index.JcstressTest} runs it. */
public final class PinStress {
  private static final String FILE = "file";
  private static final BlockStore STORE = store();

  private PinStress() {}

  private static BlockStore store() {
    BlockStore store = Stores.store(1);
    Stores.put(store, FILE, 0, 1000);
    return store;
  }

  private static int retain(Pin pin) {
    try {
      pin.addHolder();
      return 1;
    } catch (IllegalStateException e) {
      return 0;
    }
  }

  /** A retain and the last release: the block is given back once, after both. */
  @JCStressTest
  @Outcome(
      id = "1, 0, 1",
      expect = Expect.ACCEPTABLE,
      desc = "retained; the other one was the last")
  @Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "too late to be retained")
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "retained and released before")
  @Outcome(expect = Expect.FORBIDDEN, desc = "given back twice, or never")
  @State
  public static class RetainAndRelease {
    private final Pin pin = STORE.pin(FILE, 0);

    /** Retains and releases. */
    @Actor
    public void retains(III_Result result) {
      result.r1 = retain(pin);
      result.r3 = result.r1 == 1 && pin.release() ? 1 : 0;
    }

    /** Releases. */
    @Actor
    public void releases(III_Result result) {
      result.r2 = pin.release() ? 1 : 0;
    }
  }

  /** Two retains after the last release: neither holds anything. */
  @JCStressTest
  @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "both refused")
  @Outcome(expect = Expect.FORBIDDEN, desc = "the count came back from zero")
  @State
  public static class LateRetains {
    private final Pin pin = released();

    private static Pin released() {
      Pin pin = STORE.pin(FILE, 0);
      pin.release();
      return pin;
    }

    /** One. */
    @Actor
    public void one(II_Result result) {
      result.r1 = retain(pin);
    }

    /** Another one. */
    @Actor
    public void other(II_Result result) {
      result.r2 = retain(pin);
    }

    /** The count stays at zero. */
    @Arbiter
    public void end(II_Result result) {
      result.r1 += 10 * pin.holders();
    }
  }
}
