package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/** Exposes HBase's package-private checksum methods to the benchmarks, either stock or ours. */
public final class ChecksumUtilAccess {
  private ChecksumUtilAccess() {}

  /** Calls {@code ChecksumUtil.validateChecksum}. */
  public static boolean validate(ByteBuff block, String path, long offset, int headerSize) {
    return ChecksumUtil.validateChecksum(block, path, offset, headerSize);
  }

  /** Calls {@code ChecksumUtil.generateChecksums} on the first {@code length} bytes. */
  public static void generate(byte[] data, int length, byte[] sums, ChecksumType type, int chunk)
      throws IOException {
    ChecksumUtil.generateChecksums(data, 0, length, sums, 0, type, chunk);
  }
}
