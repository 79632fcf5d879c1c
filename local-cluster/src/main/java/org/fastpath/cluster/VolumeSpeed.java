package org.fastpath.cluster;

import java.time.Duration;
import java.util.Locale;

/**
 * How fast a device is: a volume of a DataNode, or a controller that several volumes share.
 *
 * <p>An operation occupies the device for its bytes at {@code bytesPerSecond} and for one turn of
 * {@code operationsPerSecond}; operations that come at the same time wait for each other. {@code
 * latencyNanos} is added to each of them without occupying the device. Infinity means no limit.
 *
 * <p>A kernel that holds {@code writeBackBytes} for the device lets a write return before it is
 * done, as long as no more than that is waiting to be written. If {@code mergedBytes} is above 0 it
 * also puts together what it holds: writes and changes of directories take a turn for each so many
 * bytes instead of one for each operation. It reads ahead by as much.
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

  /** How an operation uses the device. */
  enum Access {
    /** It waits for whatever was there before. */
    DIRECT,
    /** A kernel may hold it back, and return. */
    WRITE,
    /** A kernel asks for it ahead of the reader, and before what it holds back. */
    READ_AHEAD
  }

  /** What becomes of an operation. */
  public enum Health {
    /** It takes its time. */
    WORKING,
    /** It does not return before the device is in another state. */
    STUCK,
    /** It fails with an I/O error. */
    FAILING
  }

  /** Checks that there is a speed. */
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

  /** As fast as the machine is. */
  public static VolumeSpeed unlimited() {
    return new VolumeSpeed(NO_LIMIT, NO_LIMIT, 0, 0, 0, Health.WORKING);
  }

  /** Limited in bandwidth only. */
  public static VolumeSpeed bytesPerSecond(double bandwidth) {
    return new VolumeSpeed(bandwidth, NO_LIMIT, 0, 0, 0, Health.WORKING);
  }

  /** Whatever is asked of the device waits until it has another speed. */
  public static VolumeSpeed stuck() {
    return new VolumeSpeed(NO_LIMIT, NO_LIMIT, 0, 0, 0, Health.STUCK);
  }

  /** Whatever is asked of the device fails with an I/O error. */
  public static VolumeSpeed failing() {
    return new VolumeSpeed(NO_LIMIT, NO_LIMIT, 0, 0, 0, Health.FAILING);
  }

  /** The same with a limit of operations per second. */
  public VolumeSpeed operationsPerSecond(double limit) {
    return new VolumeSpeed(
        bytesPerSecond, limit, latencyNanos, writeBackBytes, mergedBytes, health);
  }

  /** The same with this time added to each operation. */
  public VolumeSpeed latency(Duration added) {
    return new VolumeSpeed(
        bytesPerSecond, operationsPerSecond, added.toNanos(), writeBackBytes, mergedBytes, health);
  }

  /** The same with so many bytes that the kernel holds until they are written one by one. */
  public VolumeSpeed writeBack(double bytes) {
    return writeBack(bytes, 0);
  }

  /**
   * The same with so many bytes that the kernel holds until they are written.
   *
   * @param merged how many it writes in one turn of the device
   */
  public VolumeSpeed writeBack(double bytes, double merged) {
    return new VolumeSpeed(
        bytesPerSecond, operationsPerSecond, latencyNanos, bytes, merged, health);
  }

  /** Everything that is limited, so many times as slow: a device that fails slowly. */
  public VolumeSpeed slower(double times) {
    return new VolumeSpeed(
        bytesPerSecond / times,
        operationsPerSecond / times,
        (long) (latencyNanos * times),
        writeBackBytes,
        mergedBytes,
        health);
  }

  /** How long an operation occupies the device. */
  long occupiedNanos(long bytes, Access access) {
    boolean merged =
        mergedBytes > 0
            && (access == Access.READ_AHEAD || access == Access.WRITE && writeBackBytes > 0);
    double turns = merged ? bytes / mergedBytes : 1;
    return (long) (NANOS_PER_SECOND * (bytes / bytesPerSecond + turns / operationsPerSecond));
  }

  /** How long the device works on what the kernel holds for it at most. */
  long writeBackNanos() {
    double turns = mergedBytes > 0 ? writeBackBytes / mergedBytes : 0;
    return (long)
        (NANOS_PER_SECOND * (writeBackBytes / bytesPerSecond + turns / operationsPerSecond));
  }

  /** As one line without a tab. */
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

  /** What {@link #format} wrote. */
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
