package org.fastpath.tiered;

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
    try {
      long number = TraditionalBinaryPrefix.string2long(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (IllegalArgumentException e) {
      // Refused below, as a number out of range is.
    }
    throw new InvalidValueException(key, value, unit + " from " + least + " to " + most);
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
