package org.fastpath.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Describes a cluster. {@link LocalCluster#builder()} makes it. Not thread-safe. The defaults are
 * one DataNode, one RegionServer and libhadoop for all, in a temporary directory that is deleted at
 * the end.
 */
public final class ClusterBuilder {
  private static final int MAX_SERVERS = 3;
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
  private static final String CACHING_MILLIS = "200";

  private Path directory;
  private Path jars;
  private int dataNodes = 1;
  private int regionServers = 1;
  private boolean hbase = true;
  private boolean libhadoop = true;
  private boolean shortCircuit;
  private boolean stopCleanlyOnExit;
  private List<String> volumes = List.of("[DISK]");
  private OptionalLong pageCache = OptionalLong.empty();
  private OptionalLong dropLag = OptionalLong.empty();
  private Duration startTimeout = START_TIMEOUT;
  private Consumer<String> progress = message -> {};
  private final Map<String, String> conf = new LinkedHashMap<>();
  private final Map<Integer, VolumeSpeed> speeds = new TreeMap<>();
  private final List<Controller> controllers = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<Change> firstStart = new ArrayList<>();
  private Set<Modules> modules = Set.of();
  private Path fastpathJars;
  private FastpathSizes fastpathSizes;
  private FastpathSetup fastpath = FastpathSetup.NONE;
  private HdfsStep beforeHBase = conf -> {};

  private record Change(Role role, int index, Consumer<DaemonOptions> options) {
    boolean appliesTo(Role role, int index) {
      return this.role == role && (this.index < 0 || this.index == index);
    }
  }

  private record Controller(VolumeSpeed limit, List<Integer> volumes) {}

  /** Prepares HDFS for HBase. */
  @FunctionalInterface
  public interface HdfsStep {
    /**
     * Prepares HDFS.
     *
     * @param clientConfiguration keys with which a client finds the cluster
     */
    void prepare(Map<String, String> clientConfiguration) throws IOException;
  }

  ClusterBuilder() {}

  /**
   * Sets the directory for data, logs and configuration. Data of an earlier cluster in the same
   * directory is used again. Without this call the cluster is in a temporary directory.
   */
  public ClusterBuilder directory(Path path) {
    directory = path;
    return this;
  }

  /** Takes the stock jars from a directory instead of from this JVM's classpath. */
  public ClusterBuilder jars(Path directoryOfJars) {
    jars = directoryOfJars;
    return this;
  }

  /** Sets the number of DataNodes, 1 to 3, which is also the replication. */
  public ClusterBuilder dataNodes(int count) {
    dataNodes = checked("DataNodes", count);
    return this;
  }

  /** Sets the number of RegionServers, 1 to 3. */
  public ClusterBuilder regionServers(int count) {
    regionServers = checked("RegionServers", count);
    return this;
  }

  /** Chooses between HDFS only, and HDFS with ZooKeeper, HMaster and RegionServers. */
  public ClusterBuilder hbase(boolean wanted) {
    hbase = wanted;
    return this;
  }

  /** Sets the volumes of every DataNode, by storage type: "[SSD]", "[DISK]". */
  public ClusterBuilder volumes(String... storageTypes) {
    if (storageTypes.length == 0) {
      throw new IllegalArgumentException("a DataNode needs at least one volume");
    }
    volumes = List.of(storageTypes);
    return this;
  }

  /**
   * Slows a volume of every DataNode, by a model inside the DataNode; indexes start at 0. {@link
   * Daemon#slowVolume} changes it later. {@link VolumeSpeed#unlimited()} begins at the speed of the
   * machine.
   */
  public ClusterBuilder slowVolume(int index, VolumeSpeed speed) {
    speeds.put(index, speed);
    return this;
  }

  /**
   * Makes volumes of every DataNode share a limit, such as that of a controller or cable, besides
   * their own.
   */
  public ClusterBuilder controller(VolumeSpeed limit, int... volumes) {
    controllers.add(new Controller(limit, IntStream.of(volumes).boxed().toList()));
    return this;
  }

  /**
   * Models a page cache of so many bytes in every DataNode, for volumes with a {@link
   * VolumeSpeed#writeBack(double, double) merging write-back}. Other reads go to the devices;
   * without this call all reads do. If a DataNode advises so, bytes are dropped at once.
   * Short-circuit reads are not modelled, since no DataNode sees them.
   */
  public ClusterBuilder pageCache(long bytes) {
    pageCache = OptionalLong.of(bytes);
    return this;
  }

  /**
   * Sets the distance behind the writer at which DataNodes drop pages of a block, if the writer
   * requests it. The default is 8 MB.
   */
  public ClusterBuilder dropLag(long bytes) {
    dropLag = OptionalLong.of(bytes);
    return this;
  }

  /** Sets whether processes find libhadoop, unless their own options differ. */
  public ClusterBuilder libhadoop(boolean present) {
    libhadoop = present;
    return this;
  }

  /** Sets whether clients on this machine use short-circuit reads, through a domain socket. */
  public ClusterBuilder shortCircuit(boolean enabled) {
    shortCircuit = enabled;
    return this;
  }

  /**
   * Sets the bytes that each DataNode may lock in memory, independent of {@code ulimit -l}. Also
   * shortens intervals, so blocks of a cache directive are cached and known to clients within two
   * seconds instead of minutes.
   */
  public ClusterBuilder lockedMemory(long bytes) {
    conf("dfs.namenode.path.based.cache.refresh.interval.ms", CACHING_MILLIS);
    conf("dfs.cachereport.intervalMsec", CACHING_MILLIS);
    return daemon(
        Role.DATANODE,
        options ->
            options.memlock(true).conf("dfs.datanode.max.locked.memory", Long.toString(bytes)));
  }

  /** Sets a configuration key for all daemons and the clients. */
  public ClusterBuilder conf(String key, String value) {
    conf.put(key, value);
    return this;
  }

  /**
   * Lets clients close files at the speed of their volumes. If the NameNode does not know a file's
   * last block yet, the client retries after 5 ms. HDFS's default is 0.4 s, most of the time of a
   * small file.
   */
  public ClusterBuilder quickClose() {
    return conf("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5")
        .conf("dfs.client.block.write.locateFollowingBlock.retries", "12");
  }

  /**
   * Secures HDFS and HBase. ZooKeeper stays open. HBase's user owns nothing in HDFS: see {@link
   * #beforeHBase}.
   */
  public ClusterBuilder kerberos(Kerberos kerberos) {
    kerberos.conf().forEach(this::conf);
    for (Role role : Role.values()) {
      daemon(role, options -> options.jvmFlags(kerberos.jvmFlag()));
    }
    return this;
  }

  /** Sets the life of block tokens and their keys. HDFS's own configuration keys are in minutes. */
  public ClusterBuilder blockTokens(Duration life) {
    conf("dfs.block.access.token.enable", "true");
    return daemon(
        Role.NAMENODE,
        options ->
            options
                .conf("dfs.namenode.plugins", BlockTokensPlugin.class.getName())
                .conf(BlockTokensPlugin.MILLIS, Long.toString(life.toMillis())));
  }

  /** Adds a step between the start of HDFS and that of HBase. */
  public ClusterBuilder beforeHBase(HdfsStep step) {
    beforeHBase = step;
    return this;
  }

  /** Changes every daemon of a role. */
  public ClusterBuilder daemon(Role role, Consumer<DaemonOptions> options) {
    changes.add(new Change(role, -1, options));
    return this;
  }

  /** Changes one daemon; indexes start at 0. */
  public ClusterBuilder daemon(Role role, int index, Consumer<DaemonOptions> options) {
    changes.add(new Change(role, index, options));
    return this;
  }

  /** Changes every daemon of a role until it is restarted. */
  public ClusterBuilder firstStart(Role role, Consumer<DaemonOptions> options) {
    firstStart.add(new Change(role, -1, options));
    return this;
  }

  /**
   * Switches on modules of ours: {@code fastpath(Modules.ALL)}. The daemons that need them get the
   * jars in front of their class paths, and the keys. Keys by {@code conf} or for a daemon override
   * these.
   *
   * @see #fastpathJars(Path)
   * @see #fastpathSizes(FastpathSizes)
   */
  public ClusterBuilder fastpath(Set<Modules> wanted) {
    modules = wanted.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(wanted));
    return this;
  }

  /** Switches on some modules. */
  public ClusterBuilder fastpath(Modules... wanted) {
    return fastpath(new HashSet<>(List.of(wanted)));
  }

  /**
   * Sets the directory of our jars, with or without versions in their names. Without this call, the
   * system property {@code fastpath.jars} names it.
   */
  public ClusterBuilder fastpathJars(Path directoryOfJars) {
    fastpathJars = directoryOfJars;
    return this;
  }

  /** Sets the memory of our modules; by default a quarter of the available memory. */
  public ClusterBuilder fastpathSizes(FastpathSizes sizes) {
    fastpathSizes = sizes;
    return this;
  }

  /** Sets the time in which the daemons must become ready; 3 minutes by default. */
  public ClusterBuilder startTimeout(Duration limit) {
    startTimeout = limit;
    return this;
  }

  /**
   * Sets a listener that gets a line for every step of starting and stopping, on the thread of that
   * step.
   */
  public ClusterBuilder onProgress(Consumer<String> listener) {
    progress = listener;
    return this;
  }

  /** Makes the exit of the JVM stop the daemons in order instead of killing them. */
  ClusterBuilder stopCleanlyOnExit() {
    stopCleanlyOnExit = true;
    return this;
  }

  /**
   * Starts the cluster and returns when it is ready for work: DataNodes registered, safe mode left,
   * hbase:meta assigned, all RegionServers reported.
   *
   * @throws ClusterException if a daemon does not become ready; none is left running then
   * @throws IllegalArgumentException if a slow volume does not exist, or a jar of ours is not found
   */
  public LocalCluster start() {
    setUpFastpath();
    speeds.keySet().forEach(this::requireVolume);
    controllers.forEach(controller -> controller.volumes().forEach(this::requireVolume));
    return LocalCluster.start(this);
  }

  /** Finds our jars; fails as {@link #start} would if one is missing. */
  void setUpFastpath() {
    if (!modules.isEmpty()) {
      FastpathSizes sizes =
          fastpathSizes == null
              ? FastpathSizes.ofThisMachine(regionServers, dataNodes)
              : fastpathSizes;
      fastpath = FastpathSetup.of(modules, fastpathJars, sizes);
      shortCircuit |= fastpath.readsLockedMemory();
    }
  }

  void requireVolume(int index) {
    if (index < 0 || index >= volumes.size()) {
      throw new IllegalArgumentException(
          "no volume " + index + ": a DataNode has " + volumes.size());
    }
  }

  private static int checked(String what, int count) {
    if (count < 1 || count > MAX_SERVERS) {
      throw new IllegalArgumentException(
          count + " " + what + ": from 1 to " + MAX_SERVERS + " are possible");
    }
    return count;
  }

  DaemonOptions options(Role role, int index) {
    DaemonOptions options = new DaemonOptions();
    fastpath.apply(role, options);
    apply(changes, role, index, options);
    return options;
  }

  DaemonOptions firstOptions(Role role, int index) {
    DaemonOptions options = options(role, index);
    apply(firstStart, role, index, options);
    return options;
  }

  private static void apply(List<Change> changes, Role role, int index, DaemonOptions options) {
    for (Change change : changes) {
      if (change.appliesTo(role, index)) {
        change.options().accept(options);
      }
    }
  }

  int count(Role role) {
    return switch (role) {
      case DATANODE -> dataNodes;
      case REGIONSERVER -> hbase ? regionServers : 0;
      case NAMENODE -> 1;
      case ZOOKEEPER, MASTER -> hbase ? 1 : 0;
    };
  }

  Path directory() {
    return directory;
  }

  List<Path> stockJars() {
    return jars == null ? StockClasspath.ofThisJvm() : StockClasspath.in(jars);
  }

  int dataNodes() {
    return dataNodes;
  }

  int regionServers() {
    return regionServers;
  }

  boolean libhadoop() {
    return libhadoop;
  }

  boolean shortCircuit() {
    return shortCircuit;
  }

  boolean stopsCleanlyOnExit() {
    return stopCleanlyOnExit;
  }

  List<String> volumes() {
    return volumes;
  }

  OptionalLong pageCache() {
    return pageCache;
  }

  OptionalLong dropLag() {
    return dropLag;
  }

  /** Returns whether DataNodes have a model of their devices. */
  boolean slowsVolumes() {
    return !speeds.isEmpty() || !controllers.isEmpty();
  }

  /**
   * Returns the devices below the volumes that are in these directories: one for each, then
   * controllers.
   */
  List<DeviceTable.Device> devices(List<Path> directories) {
    List<String> paths = directories.stream().map(Path::toString).toList();
    List<DeviceTable.Device> devices = new ArrayList<>();
    for (String path : paths) {
      devices.add(new DeviceTable.Device(VolumeSpeed.unlimited(), List.of(path)));
    }
    speeds.forEach(
        (index, speed) ->
            devices.set(index, new DeviceTable.Device(speed, List.of(paths.get(index)))));
    for (Controller controller : controllers) {
      List<String> behind = controller.volumes().stream().map(paths::get).toList();
      devices.add(new DeviceTable.Device(controller.limit(), behind));
    }
    return devices;
  }

  HdfsStep beforeHBase() {
    return beforeHBase;
  }

  FastpathSetup fastpath() {
    return fastpath;
  }

  Map<String, String> conf() {
    return conf;
  }

  Duration startTimeout() {
    return startTimeout;
  }

  Consumer<String> progress() {
    return progress;
  }
}
