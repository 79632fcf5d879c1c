package org.fastpath.tools.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.fastpath.tools.conf.SiteFile;

/**
 * The words that configurations may hold.
 *
 * @param own our keys
 * @param stock the keys of HBase and Hadoop that their default files list
 * @param mentioned whether code of HBase or Hadoop contains a key that no default file lists
 */
record Vocabulary(KnownKeys own, Set<String> stock, Predicate<String> mentioned) {
  private static final List<String> DEFAULTS =
      List.of("core-default.xml", "hdfs-default.xml", "hbase-default.xml");

  /** Returns the words of this version, and of HBase and Hadoop as they are on the class path. */
  static Vocabulary load() throws IOException {
    Set<String> stock = new HashSet<>();
    for (String name : DEFAULTS) {
      try (InputStream in = Vocabulary.class.getClassLoader().getResourceAsStream(name)) {
        if (in != null) {
          SiteFile.read(in, Path.of(name)).forEach(property -> stock.add(property.name()));
        }
      }
    }
    return new Vocabulary(KnownKeys.load(), stock, new CodeWords()::holds);
  }
}
