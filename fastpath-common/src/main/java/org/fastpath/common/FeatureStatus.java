package org.fastpath.common;

import java.lang.management.ManagementFactory;
import java.util.Objects;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes whether one feature works in this process, and why not.
 *
 * <p>The status is the MBean {@code org.fastpath:type=Feature,name=<feature>} with the attributes
 * of {@link FeatureMBean}. The {@code /jmx} page of Hadoop's and HBase's daemons shows it. The
 * first call of a method such as {@link #active} registers the MBean; later calls change it.
 *
 * <p>A process may hold several copies of this class: each jar carries its own, and a class loader
 * may load a jar again. All copies use the same names. The copy that reports a change last owns the
 * MBean.
 *
 * <p>Safe from any thread. No method throws: if the MBean cannot be registered, one line of the log
 * says so and the feature goes on.
 */
public final class FeatureStatus {
  /** Whether a feature works. */
  public enum State {
    /** The feature works. */
    ACTIVE,
    /** Nobody asked for the feature. */
    OFF,
    /** The feature was asked for; stock behaviour is in its place. */
    FALLEN_BACK,
    /** The configuration asks for something that the feature cannot do. */
    MISCONFIGURED
  }

  /** All MBeans of features match this name. */
  public static final String ALL = "org.fastpath:type=Feature,name=*";

  private static final Logger LOG = LoggerFactory.getLogger(FeatureStatus.class);

  /** Copies of this class can race for one name. A race is over after one round. */
  private static final int ATTEMPTS = 8;

  private final Feature bean;

  private FeatureStatus(Feature bean) {
    this.bean = bean;
  }

  /**
   * Makes the status of a feature. It is published by the first call that gives it a state.
   *
   * @param module the name of the jar, such as {@code hbase-offheap-read}
   * @param feature lowercase words with hyphens, such as {@code offheap-reader}
   */
  public static FeatureStatus of(String module, String feature) {
    return new FeatureStatus(new Feature(module, feature));
  }

  /** Says that the feature works. */
  public void active() {
    publish(State.ACTIVE, "");
  }

  /**
   * Says that nobody asked for the feature.
   *
   * @param reason one plain line that names the key to set
   */
  public void off(String reason) {
    publish(State.OFF, reason);
  }

  /**
   * Says that stock behaviour is in the place of the feature, though it was asked for.
   *
   * @param reason one plain line that names the remedy
   */
  public void fallenBack(String reason) {
    publish(State.FALLEN_BACK, reason);
  }

  /**
   * Says that the configuration is wrong.
   *
   * @param reason one plain line that names the key, its value and the allowed values
   */
  public void misconfigured(String reason) {
    publish(State.MISCONFIGURED, reason);
  }

  /** Sets state and reason at once, and publishes them. Line breaks in the reason become spaces. */
  public void publish(State state, String reason) {
    boolean changed =
        bean.set(
            Objects.requireNonNullElse(state, State.OFF),
            Objects.requireNonNullElse(reason, "").strip().replaceAll("\\R+", " "));
    try {
      register(changed);
    } catch (JMException | RuntimeException e) {
      LOG.warn("The status of {} is not published: {}", bean.getFeature(), e.toString());
    }
  }

  /** Returns the name of the feature. */
  public String feature() {
    return bean.getFeature();
  }

  /** Returns the state that was published last; {@link State#OFF} before the first one. */
  public State state() {
    return bean.state();
  }

  /** Returns the reason that was published last; empty before the first one. */
  public String reason() {
    return bean.getReason();
  }

  /** Returns the name of a feature's MBean. */
  public static ObjectName name(String feature) throws JMException {
    return new ObjectName("org.fastpath:type=Feature,name=" + feature);
  }

  /** Replaces what another copy or an earlier owner registered under the name. */
  private void register(boolean changed) throws JMException {
    ObjectName name = name(bean.getFeature());
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    if (!changed && server.isRegistered(name)) {
      return;
    }
    for (int attempt = 1; ; attempt++) {
      try {
        unregister(server, name);
        server.registerMBean(bean, name);
        return;
      } catch (InstanceAlreadyExistsException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static void unregister(MBeanServer server, ObjectName name) throws JMException {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      LOG.trace("The first of its name: {}", name);
    }
  }
}
