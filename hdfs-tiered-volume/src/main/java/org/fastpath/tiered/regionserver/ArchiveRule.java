package org.fastpath.tiered.regionserver;

/**
 * What becomes of a family's files in the archive.
 *
 * @param policy that they get
 * @param ageMillis how long they must have been there; most are deleted before
 */
record ArchiveRule(String policy, long ageMillis) {
  /**
   * What is wanted of a file.
   *
   * @param policy that counts for it now
   * @param archivedMillis when it was archived: HBase makes that the file's modification time
   */
  PlacementDecision of(String policy, long archivedMillis, long nowMillis) {
    return nowMillis - archivedMillis < ageMillis
        ? PlacementDecision.none(RestingFile.State.ARCHIVED)
        : PlacementDecision.policy(RestingFile.State.ARCHIVED, this.policy, policy);
  }
}
