package org.fastpath.tools.doctor;

/**
 * A feature as the MBean of its daemon describes it.
 *
 * @param state {@code ACTIVE}, {@code OFF}, {@code FALLEN_BACK} or {@code MISCONFIGURED}
 * @param reason why it is not active
 */
record FeatureReport(String feature, String module, String version, String state, String reason) {
  static final String ACTIVE = "ACTIVE";
  static final String OFF = "OFF";
  static final String FALLEN_BACK = "FALLEN_BACK";
  static final String MISCONFIGURED = "MISCONFIGURED";
}
