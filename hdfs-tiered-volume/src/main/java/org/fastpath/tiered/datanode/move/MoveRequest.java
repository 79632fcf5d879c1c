package org.fastpath.tiered.datanode.move;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request to move a file or what is below a directory. It is an empty file in the queue, and this
 * is that file's name:
 *
 * <pre>
 *   16403.0194f2a1b3c4-5d6e7f80.waiting-NO_TARGET
 *   inode  time, hex   random   state   obstacle of the last attempt
 * </pre>
 *
 * The inode stays the same when the file is renamed. Two requests of one file have two names, so
 * that the end of the first does not take the second with it.
 *
 * @param inode of the file
 * @param stamp what tells requests apart
 * @param state never {@link MoveState#DONE}, which has no file
 * @param obstacle of the last attempt, if there was any
 * @param requester the user who made it, by the NameNode's word; empty if it was not asked
 */
record MoveRequest(
    long inode, String stamp, MoveState state, Optional<Obstacle> obstacle, String requester) {
  private static final Pattern NAME =
      Pattern.compile("(\\d{1,18})\\.([0-9a-f]{12}-[0-9a-f]{8})\\.([a-z]+)(?:-([A-Z_]+))?");

  private static final int TIME_DIGITS = 12;
  private static final int HEX = 16;

  /** A new one. */
  static MoveRequest of(long inode) {
    String stamp =
        String.format(
            "%012x-%08x", System.currentTimeMillis(), ThreadLocalRandom.current().nextInt());
    return new MoveRequest(inode, stamp, MoveState.WAITING, Optional.empty(), "");
  }

  /** The request that a file of that name is, if it is one. */
  static Optional<MoveRequest> parse(String name) {
    return parse(name, "");
  }

  /** The request that a file in the queue is, if it is one. */
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
              Optional.ofNullable(matcher.group(4)).map(Obstacle::valueOf),
              owner));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  MoveRequest in(MoveState newState, Optional<Obstacle> newObstacle) {
    return new MoveRequest(inode, stamp, newState, newObstacle, requester);
  }

  boolean isOpen() {
    return state != MoveState.FAILED;
  }

  /** When it was made, by the clock of who made it. */
  long madeMillis() {
    return Long.parseLong(stamp.substring(0, TIME_DIGITS), HEX);
  }

  /** What stays the same while its state changes. */
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
        + obstacle.map(o -> "-" + o.name()).orElse("");
  }
}
