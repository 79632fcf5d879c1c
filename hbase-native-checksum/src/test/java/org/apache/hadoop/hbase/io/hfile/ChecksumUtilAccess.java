package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;

/** Lets tests of other packages call {@link ChecksumUtil}, the stock one or the patch. */
public final class ChecksumUtilAccess {
  /** Header fields that {@link ChecksumUtil} reads, and the header's size. */
  public static final int CHECKSUM_TYPE_INDEX = HFileBlock.Header.CHECKSUM_TYPE_INDEX;

  public static final int BYTES_PER_CHECKSUM_INDEX = HFileBlock.Header.BYTES_PER_CHECKSUM_INDEX;
  public static final int DATA_SIZE_INDEX = HFileBlock.Header.ON_DISK_DATA_SIZE_WITH_HEADER_INDEX;
  public static final int HEADER_SIZE = 33;

  private ChecksumUtilAccess() {}

  public static boolean validate(ByteBuff block, String path) {
    return ChecksumUtil.validateChecksum(block, path, 0, HEADER_SIZE);
  }

  public static void generate(
      byte[] data, int start, int end, byte[] sums, int sumsOff, ChecksumType type, int chunk)
      throws IOException {
    ChecksumUtil.generateChecksums(data, start, end, sums, sumsOff, type, chunk);
  }
}
