package org.fastpath.tiered.regionserver;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;

/**
 * A file of a table that is complete, and what the rules want of it.
 *
 * @param table whose file it is
 * @param family of the table
 * @param path where it was seen
 * @param inode by which it is known wherever it goes
 * @param state what it is to the rules
 * @param policy which counts for it now
 * @param wanted which is to count for it; empty if no rule is about it
 * @param change how it gets the policy that is wanted
 * @param stored bytes by the type of the volumes that have them, all replicas together
 * @param misplaced of these, those that the policy that is wanted has elsewhere
 */
record RestingFile(
    TableName table,
    String family,
    Path path,
    long inode,
    State state,
    String policy,
    Optional<String> wanted,
    Change change,
    Map<StorageType, Long> stored,
    Map<StorageType, Long> misplaced) {
  /** What a file is to the rules. */
  enum State {
    FLUSHED,
    COMPACTED,
    MAJOR_COMPACTED,
    BULK_LOADED,
    MOB,
    /** Of a region that is read often. */
    HOT,
    /** Nothing was written to it for long. */
    COLD,
    ARCHIVED,
    /** It does not tell. */
    UNKNOWN
  }

  /** What has to be done with the policy. */
  enum Change {
    NONE,
    SET,
    /** The directory's is to count again. */
    UNSET
  }

  long bytes() {
    return sum(stored);
  }

  long misplacedBytes() {
    return sum(misplaced);
  }

  private static long sum(Map<StorageType, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Whether something has to be done. */
  boolean isMisplaced() {
    return change != Change.NONE || !misplaced.isEmpty();
  }
}
