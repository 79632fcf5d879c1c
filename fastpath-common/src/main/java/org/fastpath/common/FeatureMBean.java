package org.fastpath.common;

/** The attributes of a feature's MBean. Their names are an interface to operators' tools. */
public interface FeatureMBean {
  /** Returns the name of the feature, such as {@code offheap-reader}. */
  String getFeature();

  /** Returns the name of the jar that the feature is in, such as {@code hbase-offheap-read}. */
  String getModule();

  /** Returns the version of that jar. */
  String getVersion();

  /** Returns {@code ACTIVE}, {@code OFF}, {@code FALLEN_BACK} or {@code MISCONFIGURED}. */
  String getState();

  /** Returns one plain line that says why the feature does not work; empty where it works. */
  String getReason();
}
