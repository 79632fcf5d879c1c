package org.fastpath.cluster;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One process of a {@link LocalCluster}. Its data survives {@link #stop()}, {@link #kill()} and
 * {@link #restart()}. Thread-safe.
 */
public final class Daemon {
  private static final long STOP_SECONDS = 60;

  private final LocalCluster cluster;
  private final Role role;
  private final int index;
  private final DaemonOptions base;
  private final Optional<VolumeDevices> devices;
  private DaemonOptions options;
  private Map<String, String> conf;
  private volatile Process process;
  private volatile long startedMillis;

  Daemon(LocalCluster cluster, Role role, int index, DaemonOptions base, DaemonOptions first) {
    this.cluster = cluster;
    this.role = role;
    this.index = index;
    this.base = base;
    devices = role == Role.DATANODE ? cluster.configuration().devices(name()) : Optional.empty();
    use(first);
  }

  /** Returns its role. */
  public Role role() {
    return role;
  }

  /** Returns its number among the daemons of the same role, from 0. */
  public int index() {
    return index;
  }

  /** Returns its name: "namenode", "datanode-0". */
  public String name() {
    return role.numbered() ? role.label() + "-" + index : role.label();
  }

  /**
   * Returns the process id of the process that runs, or ran last.
   *
   * @throws IllegalStateException if it was never started
   */
  public long pid() {
    return started().pid();
  }

  /** Returns whether its process runs. */
  public boolean isAlive() {
    Process current = process;
    return current != null && current.isAlive();
  }

  /** Returns the file with everything it logged and printed, over all its restarts. */
  public Path log() {
    return cluster.layout().log(name());
  }

  /** Returns its configuration directory, the first entry of its classpath. */
  public Path confDir() {
    return cluster.layout().conf(name());
  }

  /** Returns the port on 127.0.0.1 for its clients. */
  public synchronized int port() {
    if (role == Role.NAMENODE) {
      return portOf(conf.get("fs.defaultFS"));
    }
    return portOf(conf.get(role.portKey()));
  }

  /**
   * Returns the port of its web server, with /jmx, on 127.0.0.1.
   *
   * @throws UnsupportedOperationException if it has none, as ZooKeeper
   */
  public synchronized int httpPort() {
    if (role.httpKey() == null) {
      throw new UnsupportedOperationException(name() + " has no web server");
    }
    return portOf(conf.get(role.httpKey()));
  }

  /**
   * Returns the answer of its /jmx page, as JSON.
   *
   * @param qry an MBean name or pattern, such as {@code java.lang:type=Memory}
   * @throws IOException if it does not answer
   * @throws UnsupportedOperationException if it has no web server, as ZooKeeper
   */
  public String jmx(String qry) throws IOException {
    return Jmx.fetch(httpPort(), qry);
  }

  /** Returns an attribute of the first bean in the answer that has it, as text. */
  public Optional<String> jmxAttribute(String qry, String attribute) throws IOException {
    return Jmx.attribute(jmx(qry), attribute);
  }

  /**
   * Returns the CPU time that the process has used since it started.
   *
   * @throws IOException if the process is gone
   */
  public CpuTime cpuTime() throws IOException {
    return CpuTime.ofProcess(pid());
  }

  /**
   * Begins to measure the CPU time of the process without its JIT compiler.
   *
   * @throws IOException if the process is gone
   */
  public CpuMeter cpuMeter() throws IOException {
    return new CpuMeter(pid());
  }

  /** Returns the directories with the blocks of a DataNode; empty for other roles. */
  public List<Path> dataDirectories() {
    return role == Role.DATANODE ? cluster.configuration().volumes(name()) : List.of();
  }

  /**
   * Changes the speed of a volume of a DataNode, also for waiting operations. Returns when the
   * DataNode uses it. The speed survives restarts.
   *
   * @throws IllegalStateException if the cluster was built without slow volumes
   */
  public void slowVolume(int volume, VolumeSpeed speed) {
    VolumeDevices own =
        devices.orElseThrow(
            () -> new IllegalStateException(name() + " has no model of slow volumes"));
    cluster.configuration().requireVolume(volume);
    own.change(this, volume, speed);
  }

  /**
   * Returns the use of a DataNode's modelled devices since its start: one for each volume, then the
   * controllers in the order of the builder. Empty without such a model.
   *
   * @throws IOException if it does not answer
   */
  public List<DeviceUse> deviceUse() throws IOException {
    return devices.isPresent() ? DeviceUse.parse(jmx(SlowVolumesPlugin.BEAN)) : List.of();
  }

  /**
   * Stops it with SIGTERM, like an operator, and waits for its end. Kills it after a minute. Does
   * nothing if it does not run.
   */
  public synchronized void stop() {
    if (!isAlive()) {
      return;
    }
    rememberRegions();
    requestStop();
    awaitStop();
  }

  /** Kills it with SIGKILL, like a crash, and waits for its end. */
  public synchronized void kill() {
    if (process == null) {
      return;
    }
    rememberRegions();
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** Stops it and starts it with the options that the builder gave it. */
  public void restart() {
    restart(unchanged -> {});
  }

  /**
   * Stops it if it runs, starts it with other options and waits until it is ready. The changes
   * apply to the builder's options, not to those of an earlier restart: {@code restart()} restores
   * the original options. A RegionServer is ready when as many regions are open as before.
   *
   * @throws ClusterException if it does not become ready; then it is killed and the others stay
   */
  public synchronized void restart(Consumer<DaemonOptions> changes) {
    DaemonOptions changed = new DaemonOptions(base);
    changes.accept(changed);
    cluster.progress((isAlive() ? "restarting " : "starting ") + name());
    stop();
    use(changed);
    MemoryCheck.require(List.of(this));
    start();
    try {
      cluster.awaitRestarted(this);
    } catch (ClusterException e) {
      kill();
      throw e;
    }
  }

  @Override
  public String toString() {
    return name() + (isAlive() ? " (pid " + pid() + ")" : " (stopped)");
  }

  synchronized void start() {
    try {
      Path directory = confDir();
      SiteFiles.writeDaemon(directory, conf);
      Files.createDirectories(cluster.layout().tmp().resolve(name()));
      for (Path volume : dataDirectories()) {
        Files.createDirectories(volume);
      }
      if (devices.isPresent()) {
        devices.get().prepare();
      }
      startedMillis = System.currentTimeMillis();
      process =
          cluster
              .starter()
              .start(
                  new JvmStarter.Launch(
                      directory,
                      role.mainClass(),
                      role.arguments(),
                      options,
                      heap(),
                      usesLibhadoop(),
                      false,
                      flags()),
                  Redirect.appendTo(log().toFile()));
    } catch (IOException e) {
      throw new ClusterException("cannot start " + name() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Sends SIGTERM without waiting. {@link Process#destroy()} would close the pipe, and the daemon
   * would halt as after its parent's death.
   */
  void requestStop() {
    Process current = process;
    if (current != null) {
      current.toHandle().destroy();
    }
  }

  /** Sends SIGKILL without waiting. */
  void requestKill() {
    Process current = process;
    if (current != null) {
      current.destroyForcibly();
    }
  }

  /** Waits for the end that was requested. */
  void awaitStop() {
    Process current = process;
    if (current == null) {
      return;
    }
    try {
      if (!current.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        cluster.progress(name() + " does not stop, killing it");
        current.destroyForcibly();
        current.waitFor();
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  synchronized long heapBytes() {
    long bytes = Sizes.parse(heap());
    for (String flag : options.jvmFlags()) {
      bytes = flag.startsWith("-Xmx") ? Sizes.parse(flag.substring("-Xmx".length())) : bytes;
    }
    return bytes;
  }

  /** Returns whether its volumes have the requested speed. */
  boolean hasItsDevices() throws IOException {
    return devices.isEmpty() || devices.get().isApplied();
  }

  boolean wasStarted() {
    return process != null;
  }

  long startedMillis() {
    return startedMillis;
  }

  /** Returns the way in which the process ended, for a message. */
  String ending() {
    return "ended with exit code " + started().exitValue();
  }

  private void use(DaemonOptions chosen) {
    options = chosen;
    conf = cluster.configuration().daemon(role, index, name(), chosen);
  }

  private String heap() {
    return options.heapOr(role.defaultHeap());
  }

  private boolean usesLibhadoop() {
    return options.libhadoopOr(cluster.usesLibhadoop());
  }

  /**
   * Returns the JVM flags. Daemons that are not on the path of data start quickly, because nothing
   * is measured on them.
   */
  private List<String> flags() throws IOException {
    List<String> flags = new ArrayList<>();
    switch (role) {
      case ZOOKEEPER -> {
        // Its administration server would take port 8080.
        flags.add("-Dzookeeper.admin.enableServer=false");
        flags.addAll(JvmFlags.quickStart());
      }
      case NAMENODE -> {
        Path names = cluster.layout().data(name());
        flags.add("-D" + DaemonLauncher.FORMAT + "=" + names);
        flags.addAll(JvmFlags.quickStart());
      }
      case MASTER -> flags.addAll(JvmFlags.quickStart());
      case DATANODE -> {
        flags.add("-D" + DaemonLauncher.MEMLOCK + "=" + options.memlock());
        // The directory of the sockets itself is open to its owner only.
        boolean worldWritable = cluster.layout().isBelowWorldWritable();
        boolean anyDirectory = worldWritable && conf.containsKey("dfs.domain.socket.path");
        flags.add("-D" + DaemonLauncher.ANY_SOCKET_DIRECTORY + "=" + anyDirectory);
      }
      case REGIONSERVER -> {}
    }
    return flags;
  }

  private void rememberRegions() {
    if (role == Role.REGIONSERVER) {
      cluster.rememberRegions();
    }
  }

  private Process started() {
    Process current = process;
    if (current == null) {
      throw new IllegalStateException(name() + " was never started");
    }
    return current;
  }

  private static int portOf(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static ClusterException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ClusterException("interrupted while waiting for a daemon's end", e);
  }
}
