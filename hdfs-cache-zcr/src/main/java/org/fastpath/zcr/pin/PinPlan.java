package org.fastpath.zcr.pin;

import java.util.List;

/**
 * The files to pin with reasons, and the steps of this round. After each single step the pinned
 * bytes are within the limit.
 *
 * @param verdicts one per file, the most wanted first
 * @param steps in their order
 * @param deferred number of steps left to later rounds
 */
record PinPlan(List<Verdict> verdicts, List<Step> steps, int deferred) {
  PinPlan {
    verdicts = List.copyOf(verdicts);
    steps = List.copyOf(steps);
  }

  /** A change of one directive. */
  enum Action {
    PIN,
    UNPIN
  }

  /**
   * A change.
   *
   * @param bytes of memory that it takes or releases
   */
  record Step(Action action, String path, long bytes) {}

  /** The reason why a file is wanted or not. */
  enum Reason {
    ALWAYS("the table says ALWAYS", true),
    SETTLING("pinned before it could be measured here", true),
    KEPT("no other file is worth enough more", true),
    HOT("it is read enough", true),
    COLD("it is not read enough", false),
    NO_ROOM("others are worth more", false),
    NEVER("the table says NEVER, or the file is erasure-coded", false),
    GONE("no region here reads it any longer", false);

    private final String text;
    private final boolean wanted;

    Reason(String text, boolean wanted) {
      this.text = text;
      this.wanted = wanted;
    }

    String text() {
      return text;
    }

    boolean wanted() {
      return wanted;
    }
  }

  /**
   * The decision about one file.
   *
   * @param worth bytes read per byte of memory, decayed
   * @param pinned whether it is pinned now
   */
  record Verdict(String path, long bytes, double worth, boolean pinned, Reason reason) {}
}
