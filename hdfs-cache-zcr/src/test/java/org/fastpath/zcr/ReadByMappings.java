package org.fastpath.zcr;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.net.unix.DomainSocket;
import org.fastpath.cluster.JUnit4Methods;

/**
 * Runs test methods of Hadoop's, whose clients have our file system for HDFS. Says at the end how
 * much it was used.
 */
public final class ReadByMappings {
  static final String AS_IT_IS = "as-it-is";
  static final String LOCAL = "local";

  static final String OPERATIONS = "Operations of our file system: ";
  static final String MAPPED = "Reads from mappings: ";
  static final String STOCK = "Stock reads: ";

  private ReadByMappings() {}

  /**
   * The first argument selects the configuration: the original one, or one in which all reads are
   * local and without checksums. The others are those of {@link JUnit4Methods}.
   */
  public static void main(String[] args) throws Exception {
    HdfsConfiguration.init();
    Configuration.addDefaultResource("zero-copy-site.xml");
    if (args[0].equals(LOCAL)) {
      Configuration.addDefaultResource("zero-copy-local-site.xml");
      DomainSocket.disableBindPathValidation();
    }
    Runtime.getRuntime().addShutdownHook(new Thread(ReadByMappings::report));
    JUnit4Methods.main(new String[] {args[1], args[2]});
  }

  private static void report() {
    System.out.println(OPERATIONS + operations());
    System.out.println(MAPPED + (ZeroCopyMetrics.copiedReads() + ZeroCopyMetrics.zeroCopyReads()));
    System.out.println(
        STOCK + Arrays.stream(Fallback.values()).mapToLong(ZeroCopyMetrics::fallbacks).sum());
  }

  /** Hadoop's newer statistics do not tell classes of file systems apart. */
  @SuppressWarnings("deprecation")
  private static int operations() {
    FileSystem.Statistics statistics = FileSystem.getStatistics("hdfs", ZeroCopyFileSystem.class);
    return statistics.getReadOps() + statistics.getWriteOps();
  }
}
