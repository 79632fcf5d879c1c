package org.fastpath.zcr.pin;

/**
 * Shows the pinned files and the plan of a RegionServer at {@code /jmx}, for {@code bin/fastpath
 * cache}.
 */
public interface PinPageMBean {
  /** Returns lines about the pinned files. */
  String[] getStatus();

  /** Returns lines about the planned changes. */
  String[] getPlan();
}
