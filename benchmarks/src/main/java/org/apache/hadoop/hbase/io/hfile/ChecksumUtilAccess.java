package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/**
 * Opens HBase's package-private checksum methods to the benchmarks, stock's or ours, whichever is
 * loaded.
 */
public final class ChecksumUtilAccess {
  private ChecksumUtilAccess() {}

  /** {@code ChecksumUtil.validateChecksum}. */
  public static boolean validate(ByteBuff block, String path, long offset, int headerSize) {
    return ChecksumUtil.validateChecksum(block, path, offset, headerSize);
  }

  /** {@code ChecksumUtil.generateChecksums} of the first {@code length} bytes. */
  public static void generate(byte[] data, int length, byte[] sums, ChecksumType type, int chunk)
      throws IOException {
    ChecksumUtil.generateChecksums(data, 0, length, sums, 0, type, chunk);
  }
}
