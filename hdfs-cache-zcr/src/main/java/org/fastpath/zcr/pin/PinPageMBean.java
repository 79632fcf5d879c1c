package org.fastpath.zcr.pin;

/** What a RegionServer has pinned and would, for {@code bin/fastpath cache}; at {@code /jmx}. */
public interface PinPageMBean {
  /** Lines about what is pinned. */
  String[] getStatus();

  /** Lines about what would change. */
  String[] getPlan();
}
