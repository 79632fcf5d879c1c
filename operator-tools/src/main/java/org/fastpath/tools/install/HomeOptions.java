package org.fastpath.tools.install;

import java.nio.file.Path;
import java.util.Optional;
import org.fastpath.tools.conf.Home;
import picocli.CommandLine.Option;

/** The options that name the installations of a machine. */
final class HomeOptions {
  @Option(names = "--hbase", paramLabel = "DIR", description = "HBase's directory.")
  private Path hbase;

  @Option(names = "--hadoop", paramLabel = "DIR", description = "Hadoop's directory.")
  private Path hadoop;

  @Option(
      names = "--hbase-conf",
      paramLabel = "DIR",
      description = "HBase's configuration directory (default: conf in its directory).")
  private Path hbaseConf;

  @Option(
      names = "--hadoop-conf",
      paramLabel = "DIR",
      description = "Hadoop's configuration directory (default: etc/hadoop in its directory).")
  private Path hadoopConf;

  Optional<Home> hbase() {
    return home(Home.Product.HBASE, hbase, hbaseConf);
  }

  Optional<Home> hadoop() {
    return home(Home.Product.HADOOP, hadoop, hadoopConf);
  }

  private static Optional<Home> home(Home.Product product, Path directory, Path conf) {
    return Optional.ofNullable(directory).map(home -> Home.of(product, home, conf));
  }
}
