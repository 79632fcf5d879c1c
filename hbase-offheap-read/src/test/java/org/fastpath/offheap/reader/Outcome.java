package org.fastpath.offheap.reader;

import java.io.IOException;

/**
 * The outcome of a call.
 *
 * @param value the returned value, if the call threw no exception
 * @param thrown null if the call returned
 */
record Outcome<T>(T value, Exception thrown) {
  /** A call of a scanner. */
  interface Call<T> {
    T call() throws IOException;
  }

  static <T> Outcome<T> of(Call<T> call) {
    try {
      return new Outcome<>(call.call(), null);
    } catch (IOException | RuntimeException e) {
      return new Outcome<>(null, e);
    }
  }

  /** Returns whether both returned, or both threw the same kind of exception. */
  boolean endedAs(Outcome<?> other) {
    return thrown == null
        ? other.thrown == null
        : other.thrown != null && thrown.getClass() == other.thrown.getClass();
  }

  boolean returned() {
    return thrown == null;
  }

  @Override
  public String toString() {
    return thrown == null ? String.valueOf(value) : thrown.toString();
  }
}
