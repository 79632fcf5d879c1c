package org.fastpath.checksum;

import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.apache.hadoop.util.DataChecksum;

/** The two polynomials that HDFS and HBase write into their files. */
public enum CrcAlgorithm {
  /** The zlib polynomial (ISO 3309), HDFS's {@code dfs.checksum.type=CRC32}. */
  CRC32(DataChecksum.CHECKSUM_CRC32, CRC32::new),
  /** The Castagnoli polynomial (RFC 3720), the default of HDFS and HBase. */
  CRC32C(DataChecksum.CHECKSUM_CRC32C, CRC32C::new);

  private final int hadoopId;
  private final Supplier<Checksum> factory;

  CrcAlgorithm(int hadoopId, Supplier<Checksum> factory) {
    this.hadoopId = hadoopId;
    this.factory = factory;
  }

  /** Returns the id of the algorithm in {@link DataChecksum} and libhadoop. */
  public int hadoopId() {
    return hadoopId;
  }

  /** Returns a new checksum of the JDK, with intrinsic {@code update}s. Not thread-safe. */
  Checksum newChecksum() {
    return factory.get();
  }
}
