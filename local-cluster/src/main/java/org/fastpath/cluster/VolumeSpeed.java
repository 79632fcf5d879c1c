package org.fastpath.cluster;

import java.time.Duration;
import java.util.Locale;

/**
 * The speed of a device: a volume of a DataNode, or a controller that several volumes share.
 *
 * <p>An operation occupies the device for its bytes at {@code bytesPerSecond} and for one turn of
 * {@code operationsPerSecond}. Concurrent operations wait for each other. {@code latencyNanos} is
 * added to each without occupying the device. Infinity means no limit.
 *
 * <p>With a write-back of {@code writeBackBytes}, a write returns at once while no more bytes than
 * these wait. If {@code mergedBytes} is above 0, the kernel also merges writes and changes of
 * directories: they take one turn for each so many bytes. It reads ahead by as many.
 */
public record VolumeSpeed(
    double bytesPerSecond,
    double operationsPerSecond,
    long latencyNanos,
    double writeBackBytes,
    double mergedBytes,
    Health health) {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int FIELDS = 6;

  /** The way in which an operation uses the device. */
  enum Access {
    /** It waits for all earlier operations. */
    DIRECT,
    /** A kernel may delay it and return. */
    WRITE,
    /** A kernel reads it ahead of the reader, before delayed writes. */
    READ_AHEAD
  }

  /** The result of operations. */
  public enum Health {
    /** Operations take their normal time. */
    WORKING,
    /** Operations do not return before the device is in another state. */
    STUCK,
    /** Operations fail with an I/O error. */
    FAILING
  }

  /** Checks the values. */
  public VolumeSpeed {
    if (!(bytesPerSecond > 0
        && operationsPerSecond > 0
        && latencyNanos >= 0
        && writeBackBytes >= 0
        && mergedBytes >= 0)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s bytes/s, %s operations/s, %d ns, %s and %s bytes: rates must be above 0 and the"
                  + " others not below it",
              bytesPerSecond,
              operationsPerSecond,
              latencyNanos,
              writeBackBytes,
              mergedBytes));
    }
  }

  /** Returns the speed of the machine. */
  public static VolumeSpeed unlimited() {
    return new VolumeSpeed(NO_LIMIT, NO_LIMIT, 0, 0, 0, Health.WORKING);
  }

  /** Returns a speed with a limit of bandwidth only. */
  public static VolumeSpeed bytesPerSecond(double bandwidth) {
    return new VolumeSpeed(bandwidth, NO_LIMIT, 0, 0, 0, Health.WORKING);
  }

  /** Returns the speed of a device whose operations wait until it has another speed. */
  public static VolumeSpeed stuck() {
    return new VolumeSpeed(NO_LIMIT, NO_LIMIT, 0, 0, 0, Health.STUCK);
  }

  /** Returns the speed of a device whose operations fail with an I/O error. */
  public static VolumeSpeed failing() {
    return new VolumeSpeed(NO_LIMIT, NO_LIMIT, 0, 0, 0, Health.FAILING);
  }

  /** Returns the same with a limit of operations per second. */
  public VolumeSpeed operationsPerSecond(double limit) {
    return new VolumeSpeed(
        bytesPerSecond, limit, latencyNanos, writeBackBytes, mergedBytes, health);
  }

  /** Returns the same with this time added to each operation. */
  public VolumeSpeed latency(Duration added) {
    return new VolumeSpeed(
        bytesPerSecond, operationsPerSecond, added.toNanos(), writeBackBytes, mergedBytes, health);
  }

  /** Returns the same with a write-back of so many bytes, written one by one. */
  public VolumeSpeed writeBack(double bytes) {
    return writeBack(bytes, 0);
  }

  /**
   * Returns the same with a write-back of so many bytes.
   *
   * @param merged bytes that the kernel writes in one turn of the device
   */
  public VolumeSpeed writeBack(double bytes, double merged) {
    return new VolumeSpeed(
        bytesPerSecond, operationsPerSecond, latencyNanos, bytes, merged, health);
  }

  /** Returns all limits divided by a number: a fail-slow device. */
  public VolumeSpeed slower(double times) {
    return new VolumeSpeed(
        bytesPerSecond / times,
        operationsPerSecond / times,
        (long) (latencyNanos * times),
        writeBackBytes,
        mergedBytes,
        health);
  }

  /** Returns the time for which an operation occupies the device. */
  long occupiedNanos(long bytes, Access access) {
    boolean merged =
        mergedBytes > 0
            && (access == Access.READ_AHEAD || access == Access.WRITE && writeBackBytes > 0);
    double turns = merged ? bytes / mergedBytes : 1;
    return (long) (NANOS_PER_SECOND * (bytes / bytesPerSecond + turns / operationsPerSecond));
  }

  /** Returns the device's time for a full write-back. */
  long writeBackNanos() {
    double turns = mergedBytes > 0 ? writeBackBytes / mergedBytes : 0;
    return (long)
        (NANOS_PER_SECOND * (writeBackBytes / bytesPerSecond + turns / operationsPerSecond));
  }

  /** Returns one line without a tab. */
  String format() {
    return String.join(
        " ",
        Double.toString(bytesPerSecond),
        Double.toString(operationsPerSecond),
        Long.toString(latencyNanos),
        Double.toString(writeBackBytes),
        Double.toString(mergedBytes),
        health.name());
  }

  /** Parses the output of {@link #format}. */
  static VolumeSpeed parse(String text) {
    String[] words = text.split(" ");
    if (words.length != FIELDS) {
      throw new IllegalArgumentException("not the speed of a volume: '" + text + "'");
    }
    return new VolumeSpeed(
        Double.parseDouble(words[0]),
        Double.parseDouble(words[1]),
        Long.parseLong(words[2]),
        Double.parseDouble(words[3]),
        Double.parseDouble(words[4]),
        Health.valueOf(words[FIELDS - 1]));
  }
}
