package org.fastpath.tools.conf;

import java.util.Locale;

/** A kind of process that reads a configuration directory. */
public enum Role {
  /** HBase's RegionServer. */
  REGIONSERVER,
  /** HBase's HMaster. */
  MASTER,
  /** HDFS's DataNode. */
  DATANODE,
  /** HDFS's NameNode. */
  NAMENODE,
  /** A program that uses HBase or HDFS. */
  CLIENT;

  /** Returns the name that operators use: {@code regionserver}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether it reads the directory of HBase, not that of Hadoop. */
  public boolean isHBase() {
    return this == REGIONSERVER || this == MASTER;
  }
}
