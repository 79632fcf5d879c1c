package org.fastpath.checksum;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.NativeCodeLoader;
import org.apache.hadoop.util.VersionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process's choice of a {@link ChunkedCrc} per algorithm, made when the class is first used and
 * never changed.
 *
 * <p>{@code hbase.fastpath.checksum.provider} (system property, or hbase-site.xml) says who may
 * compute; {@code auto} measures. One line in the log says what was chosen and why. On a Hadoop
 * that the patch was not verified against, {@link #patchesHadoop()} is false and the choice is the
 * JDK. A wrong value ends a daemon with a clear message; any other process gets the same message as
 * an {@link IllegalArgumentException} when it first computes a checksum.
 */
public final class ChecksumEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ChecksumEngine.class);

  private static final boolean LIBHADOOP = NativeCodeLoader.isNativeCodeLoaded();
  private static final boolean VERIFIED = VersionGuard.hadoop(VersionInfo.getVersion());

  private static final ChunkedCrc PLAIN_CRC32 = new JdkChunkedCrc(CrcAlgorithm.CRC32);
  private static final ChunkedCrc PLAIN_CRC32C = new JdkChunkedCrc(CrcAlgorithm.CRC32C);
  private static final ChunkedCrc CRC32;
  private static final ChunkedCrc CRC32C;

  static {
    Map<CrcAlgorithm, ChunkedCrc> chosen = choose();
    CRC32 = chosen.get(CrcAlgorithm.CRC32);
    CRC32C = chosen.get(CrcAlgorithm.CRC32C);
    ChecksumStatus.register(CRC32, CRC32C, VERIFIED, LIBHADOOP);
  }

  private ChecksumEngine() {}

  /** The choice for an algorithm. */
  public static ChunkedCrc of(CrcAlgorithm algorithm) {
    return algorithm == CrcAlgorithm.CRC32C ? CRC32C : CRC32;
  }

  /**
   * The JDK's checksums whatever was chosen: for an HBase that the patch was not verified against.
   */
  public static ChunkedCrc plain(CrcAlgorithm algorithm) {
    return algorithm == CrcAlgorithm.CRC32C ? PLAIN_CRC32C : PLAIN_CRC32;
  }

  /** The choice for Hadoop's id of an algorithm, or null where that is neither CRC32 nor CRC32C. */
  public static ChunkedCrc ofHadoopId(int id) {
    if (id == CrcAlgorithm.CRC32C.hadoopId()) {
      return CRC32C;
    }
    return id == CrcAlgorithm.CRC32.hadoopId() ? CRC32 : null;
  }

  /**
   * Whether Hadoop's checksums go through this engine: its version is one that the patch was
   * verified against.
   */
  public static boolean patchesHadoop() {
    return VERIFIED;
  }

  /** Whether libhadoop is loaded; then Hadoop words a mismatch as its native code does. */
  public static boolean libhadoop() {
    return LIBHADOOP;
  }

  private static Map<CrcAlgorithm, ChunkedCrc> choose() {
    ChecksumProvider provider = configured();
    Map<CrcAlgorithm, ChunkedCrc> chosen = new EnumMap<>(CrcAlgorithm.class);
    List<String> reasons = new ArrayList<>();
    Calibration calibration = null;
    for (CrcAlgorithm algorithm : CrcAlgorithm.values()) {
      ChunkedCrc jdk = plain(algorithm);
      ChunkedCrc libhadoop = new HadoopNativeChunkedCrc(algorithm, jdk);
      String why;
      ChunkedCrc choice;
      if (!LIBHADOOP || !VERIFIED || provider == ChecksumProvider.JDK) {
        choice = jdk;
        why = "";
      } else if (provider == ChecksumProvider.HADOOP_NATIVE) {
        choice = libhadoop;
        why = "";
      } else {
        calibration = calibration == null ? new Calibration() : calibration;
        double jdkSpeed = calibration.speed(jdk);
        double libhadoopSpeed = calibration.speed(libhadoop);
        choice = jdkSpeed >= libhadoopSpeed ? jdk : libhadoop;
        why =
            String.format(
                Locale.ROOT,
                " (measured GB/s: jdk %.1f, hadoop-native %.1f)",
                jdkSpeed,
                libhadoopSpeed);
      }
      chosen.put(algorithm, choice);
      reasons.add(algorithm + " by " + choice.provider() + why);
    }
    report(provider, reasons);
    return chosen;
  }

  private static ChecksumProvider configured() {
    try {
      return ChecksumProvider.configured();
    } catch (IllegalArgumentException e) {
      LOG.error("{}", e.getMessage());
      if (Daemons.isDaemon()) {
        ExitUtil.terminate(1, e.getMessage());
      }
      throw e;
    }
  }

  private static void report(ChecksumProvider provider, List<String> reasons) {
    String choice = reasons.stream().collect(Collectors.joining(", "));
    String hadoop = VersionInfo.getVersion();
    String libhadoop = LIBHADOOP ? "loaded" : "not loaded";
    if (!VERIFIED) {
      LOG.warn(
          "Checksums stay stock: Hadoop {} is not among the verified versions {}; libhadoop {}",
          hadoop,
          VersionGuard.versions("hadoop"),
          libhadoop);
    } else if (provider == ChecksumProvider.HADOOP_NATIVE && !LIBHADOOP) {
      LOG.warn(
          "Checksums: {} is hadoop-native but libhadoop is not loaded; {}; Hadoop {}",
          ChecksumProvider.KEY,
          choice,
          hadoop);
    } else {
      LOG.info(
          "Checksums: {}; provider {}, Hadoop {} verified, libhadoop {}",
          choice,
          provider.value(),
          hadoop,
          libhadoop);
    }
  }
}
