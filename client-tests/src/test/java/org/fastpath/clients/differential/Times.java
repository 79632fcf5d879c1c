package org.fastpath.clients.differential;

import java.util.concurrent.TimeUnit;

/**
 * The timestamps of a program. A number below {@link #RECENT} is a day before the run. Others are
 * an hour before it. Both are far from a TTL of half a day. The server's own times are later than
 * both and have one common text.
 *
 * @param startMillis start of the run
 */
record Times(long startMillis) {
  /** The first number of the recent times. */
  static final int RECENT = 1000;

  /** The only TTL of a program, in seconds: old cells are expired, recent ones are not. */
  static final int TTL_SECONDS = (int) TimeUnit.HOURS.toSeconds(12);

  /** Returns the milliseconds of a number of a program. */
  long millis(long number) {
    return number < RECENT
        ? startMillis - TimeUnit.HOURS.toMillis(24) + number
        : startMillis - TimeUnit.HOURS.toMillis(1) + number - RECENT;
  }

  /** Returns the word for a cell's timestamp. */
  String word(long millis) {
    long recent = startMillis - TimeUnit.HOURS.toMillis(1);
    long late = startMillis - TimeUnit.MINUTES.toMillis(30);
    if (millis == Long.MAX_VALUE) {
      return "latest";
    }
    if (millis > late) {
      return "now";
    }
    return Long.toString(
        millis >= recent
            ? millis - recent + RECENT
            : millis - startMillis + TimeUnit.HOURS.toMillis(24));
  }
}
