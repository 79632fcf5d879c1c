package org.fastpath.tiered;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** The directory of an operator's configuration, as commands are told it. */
public final class ConfDirectory {
  private ConfDirectory() {}

  /** Adds those of these files that are there to a configuration, in their order. */
  public static void addTo(Configuration conf, String directory, String... sites) {
    for (String site : sites) {
      Path file = Path.of(directory, site);
      if (Files.isReadable(file)) {
        conf.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
      }
    }
  }
}
