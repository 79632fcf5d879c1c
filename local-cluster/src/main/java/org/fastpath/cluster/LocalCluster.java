package org.fastpath.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A ZooKeeper, HDFS and HBase cluster of real processes on loopback.
 *
 * <pre>{@code
 * try (LocalCluster cluster =
 *     LocalCluster.builder()
 *         .directory(Path.of("build/cluster"))
 *         .daemon(Role.REGIONSERVER, o -> o.prependToClasspath(jar).conf("some.key", "value"))
 *         .start()) {
 *   cluster.runClient("org.apache.hadoop.hbase.PerformanceEvaluation", List.of(...));
 *   cluster.daemon(Role.REGIONSERVER, 0).restart(o -> o.libhadoop(false));
 * }
 * }</pre>
 *
 * <p>No process outlives it. {@link #close()} stops the daemons in order, and the exit of this JVM
 * kills them. If this JVM is killed, they halt (see {@link DaemonLauncher}).
 *
 * <p>Thread-safe. Failures are {@link ClusterException}s that name the daemon and its log.
 */
public final class LocalCluster implements AutoCloseable {
  private static final long POLL_MILLIS = 100;

  /** The default heap of a client process. */
  private static final String CLIENT_HEAP = "512m";

  private final ClusterLayout layout;
  private final boolean temporary;
  private final boolean libhadoop;
  private final Duration startTimeout;
  private final Consumer<String> progress;
  private final ClusterConfiguration configuration;
  private final ClusterBuilder.HdfsStep beforeHBase;
  private final Map<String, String> clientConfiguration;
  private final List<Path> classpath;
  private final JvmStarter starter;
  private final Map<Role, List<Daemon>> byRole = new EnumMap<>(Role.class);
  private final Set<Process> clients = ConcurrentHashMap.newKeySet();
  private final AtomicInteger clientCount = new AtomicInteger();
  private final Thread exitHook;
  private final DirectoryLock lock;
  private volatile int regionsBefore;
  private boolean closed;

  /** Returns a builder for a cluster. */
  public static ClusterBuilder builder() {
    return new ClusterBuilder();
  }

  static LocalCluster start(ClusterBuilder builder) {
    LocalCluster cluster;
    try {
      cluster = new LocalCluster(builder);
    } catch (IOException e) {
      throw new ClusterException("cannot prepare the cluster's directory: " + e, e);
    }
    try {
      cluster.startDaemons();
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.abandon();
      throw e;
    }
  }

  private LocalCluster(ClusterBuilder builder) throws IOException {
    classpath = builder.stockJars();
    temporary = builder.directory() == null;
    layout =
        new ClusterLayout(
            temporary ? Files.createTempDirectory("fastpath-cluster-") : builder.directory());
    layout.create();
    libhadoop = builder.libhadoop();
    startTimeout = builder.startTimeout();
    progress = builder.progress();
    beforeHBase = builder.beforeHBase();
    Ports ports = new Ports(layout.ports());
    configuration = new ClusterConfiguration(builder, layout, ports);
    clientConfiguration = Map.copyOf(configuration.client());
    starter = new JvmStarter(layout, classpath);
    for (Role role : Role.values()) {
      List<Daemon> daemons = new ArrayList<>();
      for (int i = 0; i < builder.count(role); i++) {
        daemons.add(
            new Daemon(this, role, i, builder.options(role, i), builder.firstOptions(role, i)));
      }
      byRole.put(role, List.copyOf(daemons));
    }
    exitHook =
        new Thread(builder.stopsCleanlyOnExit() ? this::close : this::killAll, "cluster-exit");
    lock = DirectoryLock.acquire(layout);
    ports.save(layout.ports());
  }

  /** Returns the directory of data, logs and configuration. */
  public Path directory() {
    return layout.root();
  }

  /** Returns the keys with which a client finds the cluster: quorum, port, file system. */
  public Map<String, String> clientConfiguration() {
    return clientConfiguration;
  }

  /**
   * Returns the directory with the same keys as files: core-site.xml, hdfs-site.xml,
   * hbase-site.xml.
   */
  public Path clientConfDir() {
    return layout.conf("client");
  }

  /**
   * Returns the stock jars that every process runs on, with HBase's load tools (its test jars),
   * which only clients get.
   */
  public List<Path> classpath() {
    return classpath;
  }

  /** Returns all daemons, in the order of their start. */
  public List<Daemon> daemons() {
    return byRole.values().stream().flatMap(List::stream).toList();
  }

  /**
   * Returns a daemon; indexes start at 0.
   *
   * @throws IllegalArgumentException if it does not exist
   */
  public Daemon daemon(Role role, int index) {
    List<Daemon> daemons = byRole.get(role);
    if (index < 0 || index >= daemons.size()) {
      throw new IllegalArgumentException(
          "no " + role.label() + " " + index + ": there are " + daemons.size());
    }
    return daemons.get(index);
  }

  /** Runs a client on the stock jars with its output in a log file; returns its exit code. */
  public int runClient(String mainClass, List<String> args) {
    return runClient(mainClass, args, options -> {}, line -> {});
  }

  /** Runs a client and also passes every line of its output to {@code output}. */
  public int runClient(String mainClass, List<String> args, Consumer<String> output) {
    return runClient(mainClass, args, options -> {}, output);
  }

  /**
   * Runs a client in a separate JVM, on the stock jars with this cluster's configuration, and waits
   * for its end. Its output goes to {@code logs/client-N-CLASS.log} and, line by line, to {@code
   * output}. The client ends with the cluster.
   *
   * @param options changes the client's classpath, configuration, heap, JVM flags and libhadoop
   * @return the exit code
   */
  public int runClient(
      String mainClass,
      List<String> args,
      Consumer<DaemonOptions> options,
      Consumer<String> output) {
    DaemonOptions chosen = new DaemonOptions();
    options.accept(chosen);
    String simpleName = mainClass.substring(mainClass.lastIndexOf('.') + 1);
    String name = "client-" + clientCount.incrementAndGet() + "-" + simpleName;
    try {
      Process process = startClient(name, mainClass, args, chosen);
      clients.add(process);
      try (BufferedReader lines =
              new BufferedReader(
                  new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
          Writer log = Files.newBufferedWriter(layout.log(name))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          log.append(line).append('\n').flush();
          output.accept(line);
        }
        return process.waitFor();
      } finally {
        process.destroyForcibly();
        clients.remove(process);
      }
    } catch (IOException e) {
      throw new ClusterException("cannot run " + mainClass + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while " + mainClass + " ran", e);
    }
  }

  private Process startClient(
      String name, String mainClass, List<String> args, DaemonOptions options) throws IOException {
    Path directory = layout.conf(name);
    Map<String, String> conf = new LinkedHashMap<>(clientConfiguration);
    conf.putAll(options.conf());
    SiteFiles.writeClient(directory, conf);
    return starter.start(
        new JvmStarter.Launch(
            directory,
            mainClass,
            args,
            options,
            options.heapOr(CLIENT_HEAP),
            options.libhadoopOr(libhadoop),
            true,
            List.of()),
        Redirect.PIPE);
  }

  /**
   * Stops all processes, HBase before HDFS before ZooKeeper, and deletes the directory if it was a
   * temporary one. A second call does nothing.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    progress("stopping the cluster");
    clients.forEach(Process::destroyForcibly);
    stop(List.of(Role.MASTER, Role.REGIONSERVER));
    stop(List.of(Role.DATANODE, Role.NAMENODE, Role.ZOOKEEPER));
    release();
    if (temporary) {
      try {
        layout.delete();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + layout.root(), e);
      }
    }
  }

  private void stop(List<Role> roles) {
    List<Daemon> daemons = roles.stream().flatMap(role -> byRole.get(role).stream()).toList();
    daemons.forEach(Daemon::requestStop);
    daemons.forEach(Daemon::awaitStop);
  }

  /** Cleans up after a failed start. The directory stays, for its logs. */
  private synchronized void abandon() {
    closed = true;
    killAll();
    daemons().forEach(Daemon::awaitStop);
    release();
  }

  private void killAll() {
    clients.forEach(Process::destroyForcibly);
    daemons().forEach(Daemon::requestKill);
  }

  private void release() {
    try {
      Runtime.getRuntime().removeShutdownHook(exitHook);
    } catch (IllegalStateException e) {
      // The JVM exits and runs the hook now.
    }
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startDaemons() {
    MemoryCheck.require(daemons());
    Runtime.getRuntime().addShutdownHook(exitHook);
    try {
      starter.prepare();
      SiteFiles.writeClient(clientConfDir(), clientConfiguration);
    } catch (IOException e) {
      throw new ClusterException("cannot write to " + layout.root() + ": " + e, e);
    }
    long begin = System.nanoTime();
    startStage(List.of(Role.NAMENODE, Role.ZOOKEEPER, Role.DATANODE));
    prepareHdfs();
    startStage(List.of(Role.MASTER, Role.REGIONSERVER));
    Duration taken = Duration.ofNanos(System.nanoTime() - begin);
    progress("the cluster is ready after " + taken.toSeconds() + " s");
  }

  private void prepareHdfs() {
    try {
      beforeHBase.prepare(clientConfiguration);
    } catch (IOException e) {
      throw new ClusterException("cannot prepare HDFS for HBase: " + e, e);
    }
  }

  private void startStage(List<Role> roles) {
    List<Daemon> stage = roles.stream().flatMap(role -> byRole.get(role).stream()).toList();
    for (Daemon daemon : stage) {
      progress("starting " + daemon.name());
      daemon.start();
    }
    List<Condition> conditions = new ArrayList<>();
    for (Daemon daemon : stage) {
      conditions.add(ready(daemon));
    }
    await(conditions, daemons().stream().filter(Daemon::wasStarted).toList());
  }

  /** A condition that a daemon must reach. */
  private record Condition(Daemon daemon, String awaited, String done, BooleanSupplier reached) {}

  private Condition ready(Daemon daemon) {
    return new Condition(
        daemon,
        Readiness.awaited(daemon.role()),
        "is ready",
        () -> Readiness.isReady(daemon, this));
  }

  void awaitRestarted(Daemon daemon) {
    List<Daemon> required = new ArrayList<>(List.of(daemon));
    Readiness.needs(daemon.role()).forEach(role -> required.addAll(byRole.get(role)));
    await(List.of(ready(daemon)), required);
    int expected = regionsBefore;
    if (daemon.role() == Role.REGIONSERVER && expected > 0) {
      RegionsOpen open = new RegionsOpen(expected, this::openRegions);
      await(
          List.of(
              new Condition(
                  daemon,
                  "and the other RegionServers to open " + expected + " regions, as before",
                  "and the others have all regions open",
                  open::reached)),
          required);
    }
  }

  /** Records the number of open regions before a RegionServer stops. */
  void rememberRegions() {
    regionsBefore = Math.max(openRegions(), allRegionServersAlive() ? 0 : regionsBefore);
  }

  private boolean allRegionServersAlive() {
    return byRole.get(Role.REGIONSERVER).stream().allMatch(Daemon::isAlive);
  }

  private int openRegions() {
    return byRole.get(Role.REGIONSERVER).stream()
        .filter(Daemon::isAlive)
        .mapToInt(Readiness::openRegions)
        .sum();
  }

  /** Waits for all conditions while {@code required} daemons live. */
  private void await(List<Condition> conditions, List<Daemon> required) {
    long deadline = System.nanoTime() + startTimeout.toNanos();
    List<Condition> open = new ArrayList<>(conditions);
    while (true) {
      requireAlive(required, open);
      for (Condition condition : conditions) {
        if (open.contains(condition) && condition.reached().getAsBoolean()) {
          progress(condition.daemon().name() + " " + condition.done());
          open.remove(condition);
        }
      }
      if (open.isEmpty()) {
        return;
      }
      if (System.nanoTime() > deadline) {
        Daemon late = open.get(0).daemon();
        throw failure(late, "is not ready after " + startTimeout.toSeconds() + " s", open);
      }
      pause();
    }
  }

  private static void requireAlive(List<Daemon> required, List<Condition> open) {
    for (Daemon daemon : required) {
      if (!daemon.isAlive()) {
        throw failure(daemon, daemon.ending(), open);
      }
    }
  }

  private static ClusterException failure(Daemon daemon, String what, List<Condition> open) {
    StringBuilder message = new StringBuilder(daemon.name());
    message.append(' ').append(what).append(" while waiting for ");
    message.append(
        open.stream()
            .map(condition -> condition.daemon().name() + " " + condition.awaited())
            .collect(Collectors.joining(", ")));
    message.append(". Its log is ").append(daemon.log()).append(", which ends in:");
    LogTail.of(daemon.log()).forEach(line -> message.append("\n  ").append(line));
    return new ClusterException(message.toString());
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while the cluster started", e);
    }
  }

  void progress(String message) {
    progress.accept(message);
  }

  ClusterLayout layout() {
    return layout;
  }

  ClusterConfiguration configuration() {
    return configuration;
  }

  JvmStarter starter() {
    return starter;
  }

  boolean usesLibhadoop() {
    return libhadoop;
  }
}
