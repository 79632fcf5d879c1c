package org.fastpath.tiered.regionserver;

/**
 * The rule for a family's files in the archive.
 *
 * @param policy that they get
 * @param ageMillis minimum time in the archive; most files are deleted before
 */
record ArchiveRule(String policy, long ageMillis) {
  /**
   * Decides about a file.
   *
   * @param policy its effective policy
   * @param archivedMillis time of archiving, which HBase stores as the file's modification time
   */
  PlacementDecision of(String policy, long archivedMillis, long nowMillis) {
    return nowMillis - archivedMillis < ageMillis
        ? PlacementDecision.none(RestingFile.State.ARCHIVED)
        : PlacementDecision.policy(RestingFile.State.ARCHIVED, this.policy, policy);
  }
}
