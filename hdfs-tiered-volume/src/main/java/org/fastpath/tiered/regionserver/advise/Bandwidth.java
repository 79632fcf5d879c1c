package org.fastpath.tiered.regionserver.advise;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.fastpath.tiered.InvalidValueException;

/**
 * The write bandwidth of a volume.
 *
 * @param bytes a second
 * @param source of the number: {@code given}, {@code measured} or {@code assumed}
 */
record Bandwidth(double bytes, String source) {
  static final String OPTION = "--bandwidth";

  private static final double MEGA = 1 << 20;

  /** The published story's device, used without other information. */
  private static final double DISK = 127 * MEGA;

  private static final double SSD = 447 * MEGA;
  private static final double MEMORY = 11_000 * MEGA;

  static Bandwidth assumed(StorageType type) {
    double bytes =
        switch (type) {
          case SSD -> SSD;
          case RAM_DISK, NVDIMM -> MEMORY;
          default -> DISK;
        };
    return new Bandwidth(bytes, "assumed");
  }

  /**
   * Parses {@code SSD=447m,DISK=127m}.
   *
   * @throws InvalidValueException naming the wrong and the allowed value
   */
  static Map<StorageType, Bandwidth> parse(String list) {
    Map<StorageType, Bandwidth> given = new EnumMap<>(StorageType.class);
    for (String entry : list.split(",", -1)) {
      String[] parts = entry.trim().split("=", -1);
      try {
        StorageType type = StorageType.valueOf(parts[0].toUpperCase(Locale.ROOT));
        long bytes = TraditionalBinaryPrefix.string2long(parts[1]);
        if (parts.length == 2 && bytes > 0) {
          given.put(type, new Bandwidth(bytes, "given"));
          continue;
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        // Rejected below, like a zero.
      }
      throw new InvalidValueException(
          OPTION, entry, "a list of types and bytes a second such as SSD=447m,DISK=127m");
    }
    return given;
  }
}
