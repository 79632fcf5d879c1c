package org.fastpath.tools.doctor;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fastpath.tools.conf.Role;

/** Finds the remedy of a feature from the reason of its daemon. */
final class Remedy {
  private static final Pattern KEY = Pattern.compile("\\b((?:hbase|dfs|fs|hfile)\\.[\\w.-]*\\w)");
  private static final Pattern SET_TO =
      Pattern.compile(
          "\\b((?:hbase|dfs|fs|hfile)\\.[\\w.-]*\\w) is [^;]*; set it to ([\\w./-]*\\w)");
  private static final Pattern VALUE = Pattern.compile(" is '?([^',;]+)'?,");
  private static final Pattern UNVERIFIED =
      Pattern.compile("\\b(HBase|Hadoop) (\\d\\S*?)(?:,| is not| lacks| has no)");
  private static final Pattern ALLOW = Pattern.compile("set (\\S+\\.unverified) to (\\w+)");

  private static final Pattern REMOVE = Pattern.compile("^(\\S+) is (\\S+); remove that key");
  private static final Pattern STATES =
      Pattern.compile("^((?:hbase|dfs|fs|hfile)\\.\\S+) is ([^\\s,;]+)");
  private static final Pattern COMMAND = Pattern.compile("hdfs cacheadmin [^:;,]*[^:;, .]");
  private static final Pattern NO_JAR = Pattern.compile("^(\\S+)\\.jar is not on the class path");

  private Remedy() {}

  /** Returns whether a reason with a key and its value matches the current configuration. */
  static boolean upToDate(String reason, List<ConfDirectory> directories) {
    Matcher states = STATES.matcher(reason);
    return !states.find()
        || directories.stream()
            .anyMatch(d -> d.site().value(states.group(1), "").equals(states.group(2)));
  }

  /** Returns the line for a feature that is not active. */
  static String of(FeatureReport feature, DaemonReport daemon, KnownKeys keys) {
    String file =
        daemon.role().map(Role::isHBase).orElse(true)
            ? RemedyLine.HBASE_SITE
            : RemedyLine.HDFS_SITE;
    Matcher set = SET_TO.matcher(feature.reason());
    if (set.find()) {
      return RemedyLine.set(file, set.group(1), set.group(2));
    }
    Matcher remove = REMOVE.matcher(feature.reason());
    if (remove.find()) {
      return file + ": remove " + RemedyLine.xml(remove.group(1), remove.group(2));
    }
    Matcher command = COMMAND.matcher(feature.reason());
    if (command.find()) {
      return command.group();
    }
    Matcher jar = NO_JAR.matcher(feature.reason());
    if (jar.find()) {
      return RemedyLine.export(
          "hbase-env.sh",
          "HBASE_CLASSPATH_PREFIX",
          Module.jar(jar.group(1)) + ":$HBASE_CLASSPATH_PREFIX");
    }
    return allowed(feature.reason(), file, keys)
        .or(() -> unverified(feature, file))
        .or(() -> key(feature.reason(), file))
        .orElseGet(() -> log(feature, daemon));
  }

  /** Returns the nearest allowed value instead of a wrong one. */
  private static Optional<String> allowed(String reason, String file, KnownKeys keys) {
    Matcher key = KEY.matcher(reason);
    Matcher value = VALUE.matcher(reason);
    if (!key.find() || !value.find()) {
      return Optional.empty();
    }
    return keys.allowed(key.group(1))
        .flatMap(allowed -> allowed.nearest(value.group(1)))
        .map(nearest -> RemedyLine.set(file, key.group(1), nearest));
  }

  /**
   * Returns the remedy for an unverified version: another version of HBase, Hadoop or our jars, or
   * the operator's risk.
   */
  private static Optional<String> unverified(FeatureReport feature, String file) {
    Matcher version = UNVERIFIED.matcher(feature.reason());
    if (!version.find()) {
      return Optional.empty();
    }
    Matcher allow = ALLOW.matcher(feature.reason());
    String risk =
        allow.find() ? ", or " + RemedyLine.set(file, allow.group(1), allow.group(2)) : "";
    return Optional.of(
        "run a version of "
            + version.group(1)
            + " with which docs/operate/versions.md has "
            + feature.feature()
            + " on"
            + risk);
  }

  private static Optional<String> key(String reason, String file) {
    Matcher key = KEY.matcher(reason);
    return key.find() ? Optional.of(file + ": look at " + key.group(1)) : Optional.empty();
  }

  private static String log(FeatureReport feature, DaemonReport daemon) {
    return "grep -i '" + feature.feature() + "' in the log of " + daemon.label();
  }

  /** Returns the line that starts a daemon. */
  static String start(Role role, String host) {
    return role.isHBase()
        ? "ssh " + host + " hbase-daemon.sh start " + role.label()
        : "ssh " + host + " hdfs --daemon start " + role.label();
  }

  /** Returns the line that restarts a daemon. */
  static String restart(Role role, String host) {
    return role.isHBase()
        ? "ssh " + host + " hbase-daemon.sh restart " + role.label()
        : "ssh "
            + host
            + " 'hdfs --daemon stop "
            + role.label()
            + " && hdfs --daemon start "
            + role.label()
            + "'";
  }
}
