package org.fastpath.checksum;

import java.util.stream.Stream;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.NativeCodeLoader;
import org.apache.hadoop.util.VersionInfo;
import org.fastpath.checksum.Calibration.Speeds;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses a {@link ChunkedCrc} per algorithm for the process. It may have one provider for short
 * chunks and another one for long chunks. It chooses at the first use of the class and never again.
 *
 * <p>{@code hbase.fastpath.checksum.provider} (system property, or hbase-site.xml) names the
 * provider; {@code auto} measures. One line in the log states the choice and the reason. If
 * Hadoop's code is not the verified code, {@link #patchesHadoop()} is false and the choice is the
 * JDK. A wrong value ends a daemon with a clear message. Any other process gets the same message as
 * an {@link IllegalArgumentException} when it first computes a checksum.
 */
public final class ChecksumEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ChecksumEngine.class);

  /**
   * The length from which the JDK's intrinsics have nearly their full speed. A chunk of HDFS has
   * 512 B by default, one of HBase 16 KB.
   */
  private static final int FIRST_LONG = 2 << 10;

  private static final boolean LIBHADOOP = NativeCodeLoader.isNativeCodeLoaded();
  private static final boolean VERIFIED = ChecksumFeatures.checkHadoop(VersionInfo.getVersion());

  private static final ChunkedCrc PLAIN_CRC32 = new JdkChunkedCrc(CrcAlgorithm.CRC32);
  private static final ChunkedCrc PLAIN_CRC32C = new JdkChunkedCrc(CrcAlgorithm.CRC32C);
  private static final ChunkedCrc CRC32;
  private static final ChunkedCrc CRC32C;

  static {
    ChecksumProvider provider = configured();
    Choice crc32 = choose(provider, CrcAlgorithm.CRC32);
    Choice crc32c = choose(provider, CrcAlgorithm.CRC32C);
    CRC32 = crc32.crc;
    CRC32C = crc32c.crc;
    report(provider, crc32 + ", " + crc32c);
    if (!VERIFIED) {
      ChecksumMetrics.patchStaysStock();
    }
    int fallbacks = (int) Stream.of(crc32, crc32c).filter(Choice::isFallback).count();
    ChecksumMetrics.register(CRC32, CRC32C, LIBHADOOP, fallbacks);
  }

  private record Choice(
      ChecksumProvider asked, CrcAlgorithm algorithm, ChunkedCrc crc, String why) {
    boolean isFallback() {
      return asked != ChecksumProvider.AUTO && !crc.provider().equals(asked.value());
    }

    @Override
    public String toString() {
      return algorithm + " by " + crc.provider() + why;
    }
  }

  private ChecksumEngine() {}

  /** Returns the choice for an algorithm. */
  public static ChunkedCrc of(CrcAlgorithm algorithm) {
    return algorithm == CrcAlgorithm.CRC32C ? CRC32C : CRC32;
  }

  /** Returns the JDK's checksums, for an unverified HBase version. */
  public static ChunkedCrc plain(CrcAlgorithm algorithm) {
    return algorithm == CrcAlgorithm.CRC32C ? PLAIN_CRC32C : PLAIN_CRC32;
  }

  /**
   * Returns the choice for Hadoop's id of an algorithm, or null if it is neither CRC32 nor CRC32C.
   */
  public static ChunkedCrc ofHadoopId(int id) {
    if (id == CrcAlgorithm.CRC32C.hadoopId()) {
      return CRC32C;
    }
    return id == CrcAlgorithm.CRC32.hadoopId() ? CRC32 : null;
  }

  /**
   * Returns whether Hadoop's checksums go through this engine. They do if Hadoop's code is the
   * verified code.
   */
  public static boolean patchesHadoop() {
    return VERIFIED;
  }

  /** Returns whether libhadoop is loaded; then Hadoop words a mismatch as its native code does. */
  public static boolean libhadoop() {
    return LIBHADOOP;
  }

  /** Chooses the JDK without memory for a measurement: a failure here would last for ever. */
  private static Choice choose(ChecksumProvider provider, CrcAlgorithm algorithm) {
    ChunkedCrc jdk = plain(algorithm);
    try {
      return choose(provider, algorithm, jdk);
    } catch (OutOfMemoryError e) {
      return new Choice(provider, algorithm, jdk, " (not measured: out of memory)");
    }
  }

  private static Choice choose(ChecksumProvider provider, CrcAlgorithm algorithm, ChunkedCrc jdk) {
    ChunkedCrc libhadoop = new HadoopNativeChunkedCrc(algorithm, jdk);
    if (provider == ChecksumProvider.JDK || !VERIFIED || !works(libhadoop)) {
      return new Choice(provider, algorithm, jdk, "");
    }
    if (provider == ChecksumProvider.HADOOP_NATIVE) {
      return new Choice(provider, algorithm, libhadoop, "");
    }
    Speeds speeds = new Calibration().compare(jdk, libhadoop);
    return new Choice(provider, algorithm, faster(speeds, jdk, libhadoop), " (" + speeds + ")");
  }

  /** Returns the faster provider, or both if short chunks have another one than long chunks. */
  static ChunkedCrc faster(Speeds speeds, ChunkedCrc jdk, ChunkedCrc libhadoop) {
    ChunkedCrc shorts = speeds.jdkTakesShorts() ? jdk : libhadoop;
    ChunkedCrc longs = speeds.jdkTakesLongs() ? jdk : libhadoop;
    return shorts == longs ? longs : new CrcByChunkSize(FIRST_LONG, shorts, longs);
  }

  /** Tests libhadoop. A libhadoop of another version may be loaded and lack the entry points. */
  private static boolean works(ChunkedCrc libhadoop) {
    if (!LIBHADOOP) {
      return false;
    }
    try {
      libhadoop.compute(1, new byte[1], 0, 1, new byte[ChunkedCrc.SUM_BYTES], 0);
      return true;
    } catch (LinkageError e) {
      LOG.warn(
          "Checksums: libhadoop is loaded but lacks the checksum functions, so the JDK "
              + "computes: {}",
          e.toString());
      return false;
    }
  }

  private static ChecksumProvider configured() {
    try {
      return ChecksumProvider.configured();
    } catch (IllegalArgumentException e) {
      LOG.error("{}", e.getMessage());
      ChecksumFeatures.HADOOP.misconfigured(e.getMessage());
      if (Daemons.isDaemon()) {
        ExitUtil.terminate(1, e.getMessage());
      }
      throw e;
    }
  }

  private static void report(ChecksumProvider provider, String choice) {
    String hadoop = VersionInfo.getVersion();
    String libhadoop = LIBHADOOP ? "loaded" : "not loaded";
    if (!VERIFIED) {
      return; // The guard has logged the reason.
    }
    if (provider == ChecksumProvider.HADOOP_NATIVE && !LIBHADOOP) {
      LOG.warn(
          "Checksums: {} is hadoop-native but libhadoop is not loaded; {}; Hadoop {}",
          ChecksumProvider.KEY,
          choice,
          hadoop);
    } else {
      LOG.info(
          "Checksums: {}; provider {}, Hadoop {}, libhadoop {}",
          choice,
          provider.value(),
          hadoop,
          libhadoop);
    }
  }
}
