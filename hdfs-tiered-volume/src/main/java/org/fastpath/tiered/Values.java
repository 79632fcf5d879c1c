package org.fastpath.tiered;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Reads and checks values of a configuration. */
public final class Values {
  private Values() {}

  /**
   * Returns a whole number, which may have a suffix as in {@code 64m}.
   *
   * @param otherwise the value of a missing key
   * @param unit meaning of the number, for the error
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  public static long whole(
      Configuration conf, String key, String otherwise, long least, long most, String unit) {
    String value = conf.getTrimmed(key, otherwise);
    return whole(value, least, most)
        .orElseThrow(
            () -> new InvalidValueException(key, value, unit + " from " + least + " to " + most));
  }

  /**
   * Returns a whole number, which may have a suffix; empty if it is not a number or out of range.
   */
  public static OptionalLong whole(String value, long least, long most) {
    try {
      long number = TraditionalBinaryPrefix.string2long(value);
      return number >= least && number <= most ? OptionalLong.of(number) : OptionalLong.empty();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // Hadoop throws the latter for an empty value.
      return OptionalLong.empty();
    }
  }

  /**
   * Returns a time in milliseconds. The value is in milliseconds or has the suffix ms, s, m, h or
   * d.
   *
   * @param otherwise the value of a missing key
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  public static long millis(
      Configuration conf, String key, String otherwise, long least, long most) {
    String value = conf.getTrimmed(key, otherwise);
    try {
      long millis = conf.getTimeDurationHelper(key, value, TimeUnit.MILLISECONDS);
      if (millis >= least && millis <= most) {
        return millis;
      }
    } catch (IllegalArgumentException e) {
      // Rejected below, like a time out of range.
    }
    throw new InvalidValueException(
        key,
        value,
        "milliseconds, or a time with the suffix s, m, h or d, from " + least + " to " + most);
  }

  /**
   * Returns true or false.
   *
   * @param otherwise the value of a missing key
   * @throws InvalidValueException naming the key, the value and the allowed values
   */
  public static boolean flag(Configuration conf, String key, String otherwise) {
    String value = conf.getTrimmed(key, otherwise);
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new InvalidValueException(key, value, "true or false");
    };
  }
}
