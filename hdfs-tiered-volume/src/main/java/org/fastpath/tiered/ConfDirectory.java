package org.fastpath.tiered;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** Reads the configuration directory that an operator names to a command. */
public final class ConfDirectory {
  private ConfDirectory() {}

  /** Adds the existing ones of these files to a configuration, in their order. */
  public static void addTo(Configuration conf, String directory, String... sites) {
    for (String site : sites) {
      Path file = Path.of(directory, site);
      if (Files.isReadable(file)) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
  }
}
