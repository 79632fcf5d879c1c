package org.fastpath.common.guard;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.fastpath.common.FeatureStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides at start whether a feature may be used with the upstream code on the classpath.
 *
 * <ul>
 *   <li>The code is the verified code: the feature may be used, whatever the version number is.
 *   <li>All members exist, but the code of a method differs: the feature stays off. An operator may
 *       allow it by {@link Unverified}.
 *   <li>Something is missing: the feature stays off.
 * </ul>
 *
 * <p>One line of the log says so and names the class and the method. The status of a feature that
 * stays off is {@code FALLEN_BACK} with the same line; a feature that may be used publishes its
 * status itself. No method throws.
 */
public final class GuardedFeature {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedFeature.class);
  private static final String FOLDER = "/META-INF/fastpath/";

  /** Class files that features of one jar share while the process starts. */
  private static SoftReference<Shared> shared = new SoftReference<>(null);

  private record Shared(ClassLoader loader, Classes classes) {}

  private final boolean usable;
  private final String reason;
  private final Verdict verdict;

  private GuardedFeature(boolean usable, String reason, Verdict verdict) {
    this.usable = usable;
    this.reason = reason;
    this.verdict = verdict;
  }

  /**
   * Compares, logs, and publishes the status if the feature stays off.
   *
   * @param ours a class of the feature: its jar holds the list, its class loader the upstream code
   * @param upstream the name of the upstream code in the log, such as {@code HBase 2.6.6}
   * @param key {@link Unverified#HBASE_KEY} or {@link Unverified#HDFS_KEY}
   * @param value returns the key's value, or null; called only if the code differs
   */
  public static GuardedFeature check(
      FeatureStatus status, Class<?> ours, String upstream, String key, Supplier<String> value) {
    Verdict verdict = verdict(status.feature(), ours);
    GuardedFeature checked = decide(status, verdict, upstream, key, value);
    if (!checked.usable) {
      status.fallenBack(checked.reason);
    }
    return checked;
  }

  private static GuardedFeature decide(
      FeatureStatus status, Verdict verdict, String upstream, String key, Supplier<String> value) {
    String feature = status.feature();
    if (verdict.same()) {
      LOG.info(
          "{}: {} has the verified code; {} classes were compared, {} of them read, in {} ms",
          feature,
          upstream,
          verdict.classes(),
          verdict.read(),
          TimeUnit.NANOSECONDS.toMillis(verdict.nanos()));
      return new GuardedFeature(true, "", verdict);
    }
    String difference = "in " + upstream + ", " + verdict.differences();
    if (!verdict.links()) {
      LOG.warn("{} stays off: {}", feature, difference);
      return new GuardedFeature(false, difference, verdict);
    }
    if (isAllowed(key, value)) {
      LOG.warn("{} is on though {}: {} is allow", feature, difference, key);
      return new GuardedFeature(true, "", verdict);
    }
    String remedy = difference + "; to use it all the same, set " + key + " to allow";
    LOG.warn("{} stays off: {}", feature, remedy);
    return new GuardedFeature(false, remedy, verdict);
  }

  private static boolean isAllowed(String key, Supplier<String> value) {
    try {
      return Unverified.of(key, value.get()) == Unverified.ALLOW;
    } catch (IllegalArgumentException e) {
      LOG.error("{}", e.getMessage());
      return false;
    }
  }

  private static Verdict verdict(String feature, Class<?> ours) {
    long begin = System.nanoTime();
    int known = known(feature, ours);
    if (known > 0) {
      return new Verdict(List.of(), List.of(), known, 0, System.nanoTime() - begin);
    }
    try (InputStream in = ours.getResourceAsStream(FOLDER + feature + ".guard")) {
      if (in == null) {
        return broken("the list of relied-on code is missing from the jar");
      }
      return compare(Reliance.read(in), ours);
    } catch (IOException | RuntimeException e) {
      LOG.debug("The code that {} relies on cannot be compared", feature, e);
      return broken("the code cannot be compared: " + e);
    }
  }

  /** Returns how many class files were compared, if all of them are those of a verified version. */
  private static synchronized int known(String feature, Class<?> ours) {
    try (InputStream in = ours.getResourceAsStream(FOLDER + feature + ".known")) {
      KnownFiles known = in == null ? null : KnownFiles.read(in);
      return known != null && known.has(classes(ours)) ? known.count() : 0;
    } catch (IOException | RuntimeException e) {
      LOG.debug("The class files of {} are not compared by their CRCs", feature, e);
      return 0;
    }
  }

  private static Verdict broken(String why) {
    return new Verdict(List.of(why), List.of(), 0, 0, 0);
  }

  private static synchronized Verdict compare(Reliance reliance, Class<?> ours) {
    return Guard.check(reliance, classes(ours));
  }

  private static synchronized Classes classes(Class<?> ours) {
    Shared known = shared.get();
    if (known == null || known.loader != ours.getClassLoader()) {
      known = new Shared(ours.getClassLoader(), new Classes(new ClassPathSource(ours)));
      shared = new SoftReference<>(known);
    }
    return known.classes;
  }

  /** Returns whether the feature may be used. */
  public boolean usable() {
    return usable;
  }

  /** Returns why it may not; empty if it may. */
  public String reason() {
    return reason;
  }

  /** Returns all differences. */
  public Verdict verdict() {
    return verdict;
  }
}
