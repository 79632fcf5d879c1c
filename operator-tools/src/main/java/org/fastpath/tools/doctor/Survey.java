package org.fastpath.tools.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.jmx.Deadline;
import org.fastpath.tools.jmx.Login;
import org.fastpath.tools.jmx.WebClient;

/**
 * Asks many daemons at once.
 *
 * <p>Each daemon has the same time for all of its answers. So N daemons take N / {@link #PARALLEL}
 * times that time at most, even if none answers.
 */
final class Survey {
  static final int PARALLEL = 64;

  private static final Map<String, Role> MAIN_CLASSES =
      Map.of(
          "HRegionServer", Role.REGIONSERVER,
          "HMaster", Role.MASTER,
          "DataNode", Role.DATANODE,
          "SecureDataNodeStarter", Role.DATANODE,
          "NameNode", Role.NAMENODE);

  private final WebClient client;
  private final Login login;
  private final Duration timeout;

  Survey(WebClient client, Login login, Duration timeout) {
    this.client = client;
    this.login = login;
    this.timeout = timeout;
  }

  /** Returns the answers, in the order of the targets. */
  List<DaemonReport> ask(List<Target> targets) throws InterruptedException {
    if (targets.isEmpty()) {
      return List.of();
    }
    int threads = Math.min(PARALLEL, targets.size());
    ExecutorService pool = Executors.newFixedThreadPool(threads, Survey::daemonThread);
    try {
      List<Future<DaemonReport>> answers =
          targets.stream().map(target -> pool.submit(() -> ask(target))).toList();
      long rounds = (targets.size() + threads - 1) / threads + 1;
      Deadline all = Deadline.in(timeout.multipliedBy(rounds));
      List<DaemonReport> reports = new ArrayList<>();
      for (int i = 0; i < targets.size(); i++) {
        reports.add(answer(targets.get(i), answers.get(i), all));
      }
      return reports;
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * Makes a daemon thread. A look-up of a name can take longer than any timeout and must not keep
   * the JVM alive.
   */
  private static Thread daemonThread(Runnable work) {
    Thread thread = new Thread(work, "doctor");
    thread.setDaemon(true);
    return thread;
  }

  private DaemonReport answer(Target target, Future<DaemonReport> answer, Deadline all)
      throws InterruptedException {
    try {
      // An answer that is there counts also when an earlier daemon has used up the time.
      return answer.get(answer.isDone() ? 0 : all.millis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | CancellationException | SocketTimeoutException e) {
      answer.cancel(true);
      return failed(target, new SocketTimeoutException("no answer in time"));
    } catch (ExecutionException e) {
      return failed(target, e.getCause());
    }
  }

  private DaemonReport failed(Target target, Throwable why) {
    return DaemonReport.failed(target.address(), target.role(), Failures.of(target, why));
  }

  private DaemonReport ask(Target target) {
    try {
      return login.run(() -> beans(target));
    } catch (Exception e) {
      return failed(target, e);
    }
  }

  private DaemonReport beans(Target target) throws Exception {
    Deadline deadline = Deadline.in(timeout);
    Map<String, JsonNode> beans = new LinkedHashMap<>();
    query(target, Beans.queries(target.role()), deadline, beans);
    Optional<Role> role = target.role();
    if (role.isEmpty()) {
      role = role(beans);
      if (role.isPresent()) {
        query(target, Beans.of(role.get()), deadline, beans);
      }
    }
    return new DaemonReport(target.address(), role, Optional.empty(), features(beans), beans);
  }

  private void query(
      Target target, List<String> queries, Deadline deadline, Map<String, JsonNode> beans)
      throws Exception {
    for (String query : queries) {
      for (JsonNode bean : client.beans(target.address(), query, deadline)) {
        beans.put(bean.path("name").asText(), bean);
      }
    }
  }

  /** Returns the kind of a daemon, by the main class of its JVM. */
  private static Optional<Role> role(Map<String, JsonNode> beans) {
    JsonNode runtime = beans.get(Beans.RUNTIME);
    if (runtime == null) {
      return Optional.empty();
    }
    for (JsonNode property : runtime.path("SystemProperties")) {
      if (property.path("key").asText().equals("sun.java.command")) {
        return role(property.path("value").asText());
      }
    }
    return Optional.empty();
  }

  private static Optional<Role> role(String command) {
    String main = command.split(" ")[0];
    return Optional.ofNullable(MAIN_CLASSES.get(main.substring(main.lastIndexOf('.') + 1)));
  }

  private static List<FeatureReport> features(Map<String, JsonNode> beans) {
    return beans.entrySet().stream()
        .filter(bean -> bean.getKey().startsWith(Beans.FEATURE_PREFIX))
        .map(bean -> feature(bean.getValue()))
        .collect(Collectors.toList());
  }

  private static FeatureReport feature(JsonNode bean) {
    return new FeatureReport(
        bean.path("Feature").asText(),
        bean.path("Module").asText(),
        bean.path("Version").asText(),
        bean.path("State").asText(),
        bean.path("Reason").asText());
  }
}
