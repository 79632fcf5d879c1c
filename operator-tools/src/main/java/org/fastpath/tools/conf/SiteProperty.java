package org.fastpath.tools.conf;

import java.nio.file.Path;

/**
 * One property of a site file.
 *
 * @param value as it is written, without blanks at its ends; variables are not expanded
 * @param isFinal whether later files must not change it
 * @param line where the property's name stands, from 1
 */
public record SiteProperty(String name, String value, boolean isFinal, Path file, int line) {
  /** The file's name and the line: {@code hbase-site.xml:12}. */
  public String place() {
    return file.getFileName() + ":" + line;
  }
}
