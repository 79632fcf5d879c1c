package org.fastpath.tiered.datanode.move;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request to move a file or all files below a directory. It is an empty file in the queue with
 * this name:
 *
 * <pre>
 *   16403.0194f2a1b3c4-5d6e7f80.waiting-NO_TARGET
 *   inode  time, hex   random   state   failure reason of the last attempt
 * </pre>
 *
 * The inode stays the same when the file is renamed. Two requests of one file have different names,
 * so the end of the first does not remove the second.
 *
 * @param inode of the file
 * @param stamp distinguishes requests
 * @param state never {@link MoveState#DONE}, which has no file
 * @param failureReason of the last attempt, if it failed
 * @param requester the user who made it, by the NameNode; empty if unknown
 */
record MoveRequest(
    long inode,
    String stamp,
    MoveState state,
    Optional<MoveFailureReason> failureReason,
    String requester) {
  private static final Pattern NAME =
      Pattern.compile("(\\d{1,18})\\.([0-9a-f]{12}-[0-9a-f]{8})\\.([a-z]+)(?:-([A-Z_]+))?");

  private static final int TIME_DIGITS = 12;
  private static final int HEX = 16;

  /** Makes a new request. */
  static MoveRequest of(long inode) {
    String stamp =
        String.format(
            "%012x-%08x", System.currentTimeMillis(), ThreadLocalRandom.current().nextInt());
    return new MoveRequest(inode, stamp, MoveState.WAITING, Optional.empty(), "");
  }

  /** Returns the request with this file name; empty if the name is not one of a request. */
  static Optional<MoveRequest> parse(String name) {
    return parse(name, "");
  }

  /** Returns the request of a file in the queue; empty if its name is not one of a request. */
  static Optional<MoveRequest> parse(String name, String owner) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new MoveRequest(
              Long.parseLong(matcher.group(1)),
              matcher.group(2),
              MoveState.valueOf(matcher.group(3).toUpperCase(Locale.ROOT)),
              Optional.ofNullable(matcher.group(4)).map(MoveFailureReason::valueOf),
              owner));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  MoveRequest in(MoveState newState, Optional<MoveFailureReason> newFailureReason) {
    return new MoveRequest(inode, stamp, newState, newFailureReason, requester);
  }

  boolean isOpen() {
    return state != MoveState.FAILED;
  }

  /** Returns the time of the request, by the clock of the requester. */
  long madeMillis() {
    return Long.parseLong(stamp.substring(0, TIME_DIGITS), HEX);
  }

  /** Returns the part of the name that does not change with the state. */
  String id() {
    return inode + "." + stamp;
  }

  boolean isSameAs(MoveRequest other) {
    return id().equals(other.id());
  }

  String name() {
    return id()
        + "."
        + state.name().toLowerCase(Locale.ROOT)
        + failureReason.map(o -> "-" + o.name()).orElse("");
  }
}
