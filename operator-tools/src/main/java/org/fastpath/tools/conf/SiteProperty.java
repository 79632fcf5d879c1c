package org.fastpath.tools.conf;

import java.nio.file.Path;
import java.util.Set;

/**
 * One property of a site file.
 *
 * @param value as it is written, without blanks at its ends; variables are not expanded
 * @param isFinal whether later files must not change it
 * @param line of the property's name, from 1
 */
public record SiteProperty(String name, String value, boolean isFinal, Path file, int line) {
  /** Keys that {@code hbase-default.xml} sets to an empty value. */
  private static final Set<String> EMPTY_BY_DEFAULT =
      Set.of("dfs.client.read.shortcircuit", "dfs.domain.socket.path");

  /**
   * Returns whether HBase does not see it: HBase reads {@code hbase-default.xml} behind {@code
   * hdfs-site.xml} and before {@code hbase-site.xml}.
   */
  public boolean isHiddenFromHBase() {
    return EMPTY_BY_DEFAULT.contains(name)
        && !isFinal
        && !file.getFileName().toString().equals("hbase-site.xml");
  }

  /** Returns the file's name and the line: {@code hbase-site.xml:12}. */
  public String place() {
    return file.getFileName() + ":" + line;
  }
}
