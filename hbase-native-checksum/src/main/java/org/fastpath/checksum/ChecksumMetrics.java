package org.fastpath.checksum;

import java.util.Locale;
import org.fastpath.metrics.Counter;
import org.fastpath.metrics.Metrics;
import org.fastpath.metrics.SourceBuilder;

/**
 * The metrics source {@code Checksum}: bytes and chunks by algorithm, mismatches, fallbacks,
 * providers, and patches that stay off.
 *
 * <p>The patches count once per call of Hadoop or HBase, not once per chunk.
 */
public final class ChecksumMetrics {
  private static final SourceBuilder BUILDER =
      Metrics.source("Checksum", "CRC32 and CRC32C of HDFS and HBase");

  private static final Flow CRC32 = new Flow("crc32");
  private static final Flow CRC32C = new Flow("crc32c");

  private static final Counter MISMATCHES =
      BUILDER.counter("mismatchCount", "Chunks that did not match their checksum");
  private static final Counter FALLBACKS =
      BUILDER.counter(
          "fallbackCount",
          "Blocks that HBase reads again with HDFS's verification because its own checksums "
              + "did not match");
  private static final Counter STOCK_PATCHES =
      BUILDER.counter(
          "stockPatchCount", "Patches that behave as stock because the version is not verified");
  private static final Counter PROVIDER_FALLBACKS =
      BUILDER.counter(
          "providerFallbackCount", "Algorithms whose configured provider is not available");

  private ChecksumMetrics() {}

  /** The counters of one algorithm. */
  private static final class Flow {
    private final Counter verifiedBytes;
    private final Counter verifiedChunks;
    private final Counter generatedBytes;
    private final Counter generatedChunks;

    Flow(String algorithm) {
      String by = " by " + algorithm.toUpperCase(Locale.ROOT);
      verifiedBytes = BUILDER.counter(algorithm + "VerifiedBytes", "Data verified" + by);
      verifiedChunks = BUILDER.counter(algorithm + "VerifiedChunkCount", "Chunks verified" + by);
      generatedBytes =
          BUILDER.counter(algorithm + "GeneratedBytes", "Data written with checksums" + by);
      generatedChunks =
          BUILDER.counter(algorithm + "GeneratedChunkCount", "Chunks written with checksums" + by);
    }
  }

  /** Shows the source. It is called once, after the choice of providers. */
  static void register(
      ChunkedCrc crc32, ChunkedCrc crc32c, boolean libhadoop, int providerFallbacks) {
    BUILDER.constant("crc32Provider", "Provider of CRC32", crc32.provider());
    BUILDER.constant("crc32cProvider", "Provider of CRC32C", crc32c.provider());
    BUILDER.constant("libhadoopCount", "1 when libhadoop is loaded", libhadoop ? 1 : 0);
    PROVIDER_FALLBACKS.add(providerFallbacks);
    BUILDER.register();
  }

  private static Flow flow(CrcAlgorithm algorithm) {
    return algorithm == CrcAlgorithm.CRC32C ? CRC32C : CRC32;
  }

  /**
   * Counts data that was compared with its checksums.
   *
   * @param bytes length of the data
   * @param chunk bytes per checksum
   * @param bad result of {@link ChunkedCrc#verify}; data after a mismatch was not compared
   */
  public static void verified(CrcAlgorithm algorithm, int bytes, int chunk, int bad) {
    Flow flow = flow(algorithm);
    if (bad == ChunkedCrc.ALL_MATCH) {
      flow.verifiedBytes.add(bytes);
      flow.verifiedChunks.add(chunks(bytes, chunk));
    } else {
      flow.verifiedBytes.add(bad);
      flow.verifiedChunks.add(chunks(bad, chunk));
      MISMATCHES.increment();
    }
  }

  /** Counts data whose checksums were generated. */
  public static void generated(CrcAlgorithm algorithm, int bytes, int chunk) {
    Flow flow = flow(algorithm);
    flow.generatedBytes.add(bytes);
    flow.generatedChunks.add(chunks(bytes, chunk));
  }

  /** Counts a fallback of HBase to HDFS's verification. */
  public static void fallback() {
    FALLBACKS.increment();
  }

  /** Counts a patch that stays off because the version is not verified. */
  public static void patchStaysStock() {
    STOCK_PATCHES.increment();
  }

  private static int chunks(int bytes, int chunk) {
    return (int) (((long) bytes + chunk - 1) / chunk);
  }
}
