package org.fastpath.tiered.regionserver;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;

/**
 * A complete file of a table, with the decision of the rules about it.
 *
 * @param table of the file
 * @param family of the table
 * @param path at the time of the listing
 * @param inode that identifies it after a rename
 * @param state of the file
 * @param policy its effective policy
 * @param wanted policy by the rules; empty if no rule applies
 * @param change that gives it the wanted policy
 * @param stored bytes by the type of their volumes, all replicas together
 * @param misplaced of these, misplaced bytes under the wanted policy
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
  /** The state of a file for the rules. */
  enum State {
    FLUSHED,
    COMPACTED,
    MAJOR_COMPACTED,
    BULK_LOADED,
    MOB,
    /** Its region is read often. */
    HOT,
    /** It has no recent writes. */
    COLD,
    ARCHIVED,
    /** Its history cannot be read. */
    UNKNOWN
  }

  /** The necessary change of the policy. */
  enum Change {
    NONE,
    SET,
    /** Remove the file's policy, so the directory's applies again. */
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

  /** Returns whether the policy is wrong or bytes are misplaced. */
  boolean isMisplaced() {
    return change != Change.NONE || !misplaced.isEmpty();
  }
}
