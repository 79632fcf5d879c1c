package org.fastpath.tools.conf;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** Makes the configuration of an HBase client from a directory that is not on the class path. */
public final class ClientConfiguration {
  private static final List<String> FILES =
      List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml");

  private ClientConfiguration() {}

  /** Reads the site files of a directory behind HBase's defaults. */
  public static Configuration of(Path directory) {
    Configuration conf = HBaseConfiguration.create();
    for (String name : FILES) {
      Path file = directory.resolve(name);
      if (Files.exists(file)) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
    return conf;
  }
}
