package org.fastpath.tiered;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** Reads and checks values of a configuration. */
public final class Values {
  private Values() {}

  /**
   * A whole number, which may have a suffix as in {@code 64m}.
   *
   * @param otherwise the value of a key that is not there
   * @param unit what the number is, for who has to correct it
   * @throws InvalidValueException naming key, value and what is allowed
   */
  public static long whole(
      Configuration conf, String key, String otherwise, long least, long most, String unit) {
    String value = conf.getTrimmed(key, otherwise);
    return whole(value, least, most)
        .orElseThrow(
            () -> new InvalidValueException(key, value, unit + " from " + least + " to " + most));
  }

  /** A whole number, which may have a suffix; nothing if it is none, or out of range. */
  public static OptionalLong whole(String value, long least, long most) {
    try {
      long number = TraditionalBinaryPrefix.string2long(value);
      return number >= least && number <= most ? OptionalLong.of(number) : OptionalLong.empty();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      // The latter is Hadoop's for an empty value.
      return OptionalLong.empty();
    }
  }

  /**
   * A time, in milliseconds or with the suffix ms, s, m, h or d; returned in milliseconds.
   *
   * @param otherwise the value of a key that is not there
   * @throws InvalidValueException naming key, value and what is allowed
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
      // Refused below, as a time out of range is.
    }
    throw new InvalidValueException(
        key,
        value,
        "milliseconds, or a time with the suffix s, m, h or d, from " + least + " to " + most);
  }

  /**
   * True or false.
   *
   * @param otherwise the value of a key that is not there
   * @throws InvalidValueException naming key, value and what is allowed
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
