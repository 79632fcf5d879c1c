package org.fastpath.bench.engine.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A profile in collapsed form: one line per stack, {@code outermost;...;innermost samples}.
 *
 * @param total number of all samples
 * @param checksums samples in or below a checksum: Java's CRC classes and the JVM's routines for
 *     them, Hadoop's and HBase's checksum classes, libhadoop's loops, and ours
 */
public record CollapsedStacks(long total, long checksums) {
  private static final Pattern CHECKSUM_FRAME =
      Pattern.compile(
          "(^|;)("
              + "java/util/zip/(CRC32C?|Adler32|Checksum)[.$]"
              + "|org/apache/hadoop/util/(DataChecksum|NativeCrc32|LibhadoopCrc|PureJavaCrc32C?|CrcUtil)[.$]"
              + "|org/apache/hadoop/hbase/io/hfile/(ChecksumUtil|HFileBlock\\$Writer\\.generateChecksum)"
              + "|org/fastpath/checksum/"
              + "|Java_org_apache_hadoop_util_NativeCrc32"
              + "|bulk_(verify|calculate)_crc|pipelined_crc32c|crc32c?_(sb8|zlib|update|sse)"
              + "|(StubRoutines::)?updateBytesCRC32C?\\b)");

  /** Reads a profile. */
  public static CollapsedStacks read(Path file) throws IOException {
    return of(Files.readAllLines(file));
  }

  static CollapsedStacks of(List<String> lines) throws IOException {
    long total = 0;
    long checksums = 0;
    for (String line : lines) {
      int blank = line.lastIndexOf(' ');
      if (blank < 0 || !line.substring(blank + 1).matches("\\d+")) {
        throw new IOException("this line is not in collapsed form: " + line);
      }
      long samples = Long.parseLong(line.substring(blank + 1));
      total += samples;
      checksums += CHECKSUM_FRAME.matcher(line.substring(0, blank)).find() ? samples : 0;
    }
    return new CollapsedStacks(total, checksums);
  }

  /** Returns the percentage of samples in checksums. */
  public double checksumPercent() {
    return total == 0 ? 0 : 100.0 * checksums / total;
  }
}
