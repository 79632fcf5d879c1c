package org.fastpath.tiered.regionserver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Keeps the archive rules of deleted tables. Their descriptors are gone, while a snapshot may keep
 * their files. The rules are an attribute of the table's directory in the archive and are deleted
 * with it.
 *
 * <pre>
 * user.fastpath.tiering = family:policy:milliseconds, one line for each family with a rule
 * </pre>
 */
final class ArchivedTables {
  private static final String ATTRIBUTE = "user.fastpath.tiering";
  private static final String SEPARATOR = ":";
  private static final int FIELDS = 3;

  private final DistributedFileSystem fs;

  ArchivedTables(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /** Stores the rules of a table that is about to be deleted. */
  void remember(Path directory, Map<String, ArchiveRule> rules) throws IOException {
    fs.mkdirs(directory);
    String text =
        rules.entrySet().stream()
            .map(
                entry ->
                    String.join(
                        SEPARATOR,
                        entry.getKey(),
                        entry.getValue().policy(),
                        Long.toString(entry.getValue().ageMillis())))
            .collect(Collectors.joining("\n"));
    fs.setXAttr(directory, ATTRIBUTE, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the rules by family; empty if none were stored. */
  Optional<Map<String, ArchiveRule>> recall(Path directory) throws IOException {
    byte[] text = fs.getXAttrs(directory).get(ATTRIBUTE);
    return Optional.ofNullable(text).map(ArchivedTables::parse);
  }

  private static Map<String, ArchiveRule> parse(byte[] text) {
    Map<String, ArchiveRule> rules = new HashMap<>();
    for (String line : new String(text, StandardCharsets.UTF_8).split("\n")) {
      String[] fields = line.split(SEPARATOR);
      if (fields.length == FIELDS) {
        rules.put(fields[0], new ArchiveRule(fields[1], Long.parseLong(fields[2])));
      }
    }
    return rules;
  }
}
