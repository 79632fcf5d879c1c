package org.fastpath.common;

import java.util.Objects;
import org.fastpath.common.FeatureStatus.State;

/** Holds the status of one feature. Safe from any thread. */
final class Feature implements FeatureMBean {
  private final String module;
  private final String feature;
  private volatile Status status = new Status(State.OFF, "");

  /** State and reason change together. */
  private record Status(State state, String reason) {}

  Feature(String module, String feature) {
    this.module = Objects.requireNonNull(module);
    this.feature = Objects.requireNonNull(feature);
  }

  /** Returns whether that is another status than before. */
  synchronized boolean set(State state, String reason) {
    Status before = status;
    status = new Status(state, state == State.ACTIVE ? "" : reason);
    return !status.equals(before);
  }

  State state() {
    return status.state;
  }

  @Override
  public String getFeature() {
    return feature;
  }

  @Override
  public String getModule() {
    return module;
  }

  @Override
  public String getVersion() {
    return JarVersion.VALUE;
  }

  @Override
  public String getState() {
    return status.state.name();
  }

  @Override
  public String getReason() {
    return status.reason;
  }
}
