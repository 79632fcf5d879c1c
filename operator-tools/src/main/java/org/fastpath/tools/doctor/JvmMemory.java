package org.fastpath.tools.doctor;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fastpath.tools.conf.EnvFile;
import org.fastpath.tools.conf.Sizes;

/** The memory that a RegionServer's JVM may take, by its environment file and its flags. */
final class JvmMemory {
  private static final Pattern DIRECT = Pattern.compile("-XX:MaxDirectMemorySize=(\\w+)");

  private JvmMemory() {}

  /** Returns the limit of a RegionServer's direct memory; empty if it is not configured. */
  static OptionalLong direct(EnvFile env) {
    OptionalLong flag =
        direct(env.value("HBASE_OPTS") + " " + env.value("HBASE_REGIONSERVER_OPTS"));
    return flag.isPresent() ? flag : variable(env.value("HBASE_OFFHEAPSIZE"));
  }

  /** Returns the limit in the flags of a JVM; the last one counts. */
  static OptionalLong direct(String flags) {
    OptionalLong size = OptionalLong.empty();
    Matcher matcher = DIRECT.matcher(flags);
    while (matcher.find()) {
      size = Sizes.parse(matcher.group(1));
    }
    return size;
  }

  /** Returns the bytes. HBase's scripts read a number without a suffix as megabytes. */
  private static OptionalLong variable(String value) {
    boolean plain = value.matches("[0-9]+");
    return Sizes.parse(plain ? value + "m" : value);
  }
}
