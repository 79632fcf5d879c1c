package org.fastpath.tools.doctor;

import java.util.List;

/**
 * The inputs of the checks.
 *
 * @param daemons that were asked, with their answers
 * @param families column families whose files only HBase's reader can read, by table; empty if the
 *     cluster was not asked
 * @param unseen files and clusters that could not be read
 */
record Evidence(
    Vocabulary vocabulary,
    List<ConfDirectory> directories,
    List<DaemonReport> daemons,
    List<StockFamily> families,
    List<Problem> unseen) {

  /** Returns the directories of HBase. */
  List<ConfDirectory> hbase() {
    return directories.stream().filter(ConfDirectory::hbase).toList();
  }

  /** Returns the directories of Hadoop. */
  List<ConfDirectory> hadoop() {
    return directories.stream().filter(directory -> !directory.hbase()).toList();
  }

  /**
   * Returns the directories of Hadoop that DataNodes read: those that name volumes, or all if none
   * does.
   */
  List<ConfDirectory> dataNodes() {
    List<ConfDirectory> named =
        hadoop().stream().filter(directory -> directory.has(Volumes.KEY)).toList();
    return named.isEmpty() ? hadoop() : named;
  }
}
