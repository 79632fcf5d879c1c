package org.fastpath.tools.doctor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.fastpath.tools.conf.Role;
import org.fastpath.tools.jmx.Login;

/** Asks daemons, then those that they list, each once. */
final class Rounds {
  private final ConfReader conf;
  private final Survey survey;
  private final Login login;
  private final Duration timeout;
  private final Map<String, DaemonReport> reports = new LinkedHashMap<>();
  private final List<StockFamily> families = new ArrayList<>();
  private final List<Problem> unseen;

  Rounds(ConfReader conf, Survey survey, Login login, Duration timeout) {
    this.conf = conf;
    this.survey = survey;
    this.login = login;
    this.timeout = timeout;
    unseen = new ArrayList<>(conf.unreadable());
  }

  /** Asks daemons, and those that HMasters and NameNodes among them list. */
  void ask(List<Target> targets) throws InterruptedException {
    Set<Target> listed = new LinkedHashSet<>();
    for (DaemonReport report : askNew(targets)) {
      if (report.is(Role.NAMENODE)) {
        listed.addAll(Discovery.dataNodes(report));
      } else if (report.is(Role.MASTER)) {
        listed.addAll(Discovery.regionServers(report, firstHBase()));
      }
    }
    askNew(List.copyOf(listed));
  }

  private List<DaemonReport> askNew(List<Target> targets) throws InterruptedException {
    Map<String, Target> fresh = new LinkedHashMap<>();
    for (Target target : targets) {
      if (!reports.containsKey(target.address())) {
        fresh.putIfAbsent(target.address(), target);
      }
    }
    List<DaemonReport> answers = survey.ask(List.copyOf(fresh.values()));
    answers.forEach(report -> reports.put(report.address(), report));
    return answers;
  }

  private Optional<ConfDirectory> firstHBase() {
    return conf.directories().stream().filter(ConfDirectory::hbase).findFirst();
  }

  /**
   * Asks the whole cluster of the configuration. RegionServers are known by HBase's client, which
   * also knows the ports of their web servers.
   */
  void cluster() throws InterruptedException {
    Set<Target> targets = new LinkedHashSet<>();
    firstHBase().ifPresent(directory -> targets.addAll(hbase(directory)));
    askNew(List.copyOf(targets));
    Set<Target> nameNodes = new LinkedHashSet<>();
    conf.directories().forEach(d -> nameNodes.addAll(Discovery.nameNodes(d.site())));
    if (nameNodes.isEmpty()) {
      conf.directories().forEach(d -> Discovery.usualNameNode(d.site()).ifPresent(nameNodes::add));
    }
    ask(List.copyOf(nameNodes));
    if (nameNodes.isEmpty()
        && mayUseHdfs()
        && reports.values().stream().noneMatch(r -> r.is(Role.NAMENODE))) {
      unseen.add(noNameNode());
    }
  }

  /** Returns whether HBase's files may be on HDFS. Other stores have no NameNode. */
  private boolean mayUseHdfs() {
    return conf.directories().stream()
        .map(directory -> directory.site().value("hbase.rootdir", ""))
        .noneMatch(root -> root.matches("(?!hdfs:|viewfs:)[a-z0-9]+:.*"));
  }

  private static Problem noNameNode() {
    return new Problem(
        Kind.CLUSTER_UNREACHABLE,
        "--cluster",
        "No file names a NameNode, so DataNodes were not asked",
        "fastpath doctor --namenode HOST:9870");
  }

  private List<Target> hbase(ConfDirectory directory) {
    try {
      int millis = Math.toIntExact(timeout.toMillis());
      HBaseCluster cluster = login.run(() -> HBaseCluster.ask(directory.directory(), millis));
      families.addAll(cluster.families());
      return cluster.targets();
    } catch (Exception e) {
      unseen.add(unreachable(directory, e));
      return List.of();
    }
  }

  private static Problem unreachable(ConfDirectory directory, Exception why) {
    if (why instanceof HBaseCluster.NoTicketException) {
      return wantsLogin(directory.directory().toString());
    }
    String message = why.getMessage() == null ? why.toString() : why.getMessage();
    String quorum = directory.site().value("hbase.zookeeper.quorum", "localhost");
    return unreachable(directory.directory().toString(), quorum, message);
  }

  static Problem unreachable(String directory, String quorum, String message) {
    return new Problem(
        Kind.CLUSTER_UNREACHABLE,
        directory,
        "No HMaster answers through ZooKeeper at "
            + quorum
            + ": "
            + message.lines().findFirst().orElse(""),
        "fastpath doctor --master HOST:16010, or hbase-daemon.sh start master");
  }

  static Problem wantsLogin(String directory) {
    return new Problem(
        Kind.CLUSTER_WANTS_LOGIN,
        directory,
        "HBase asks for a Kerberos ticket, and this user has none",
        Failures.LOGIN);
  }

  /** Returns all answers. */
  Evidence evidence(Vocabulary vocabulary) {
    return new Evidence(
        vocabulary,
        conf.directories(),
        List.copyOf(reports.values()),
        List.copyOf(families),
        unseen);
  }
}
