package org.fastpath.bench.jmh.checksum;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The common parameters of all checksum benchmarks: algorithm and size. One operation processes
 * {@code size} bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class ChecksumBenchmark {
  /** Bytes of a CRC. */
  static final int SUM_SIZE = 4;

  private static final long SEED = 42;

  /** Names of Hadoop and HBase. */
  @Param({"CRC32C", "CRC32"})
  public String algorithm;

  /** 64 KiB is HBase's default block; larger blocks and HDFS packets reach 1 MiB. */
  @Param({"4096", "65536", "131072", "1048576"})
  public int size;

  /** Returns the same bytes in every world. */
  static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    new Random(SEED).nextBytes(bytes);
    return bytes;
  }

  static int sumsLength(int length, int chunk) {
    return (length + chunk - 1) / chunk * SUM_SIZE;
  }

  final Checksum jdkChecksum() {
    return algorithm.equals("CRC32C") ? new CRC32C() : new CRC32();
  }
}
