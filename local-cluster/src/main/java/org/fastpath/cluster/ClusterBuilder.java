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
 * What a cluster is to look like; made by {@link LocalCluster#builder()}. Not thread-safe. The
 * defaults are one DataNode, one RegionServer and libhadoop for all, in a temporary directory that
 * is deleted at the end.
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
     * Does it.
     *
     * @param clientConfiguration what a client needs to find the cluster
     */
    void prepare(Map<String, String> clientConfiguration) throws IOException;
  }

  ClusterBuilder() {}

  /**
   * Where data, logs and configuration go. What an earlier cluster in the same directory stored is
   * there again. Without this call the cluster lives in a temporary directory.
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

  /** The number of DataNodes, 1 to 3; it is the replication too. */
  public ClusterBuilder dataNodes(int count) {
    dataNodes = checked("DataNodes", count);
    return this;
  }

  /** The number of RegionServers, 1 to 3. */
  public ClusterBuilder regionServers(int count) {
    regionServers = checked("RegionServers", count);
    return this;
  }

  /** Whether there are ZooKeeper, HMaster and RegionServers, or HDFS only. */
  public ClusterBuilder hbase(boolean wanted) {
    hbase = wanted;
    return this;
  }

  /** The volumes of every DataNode, by storage type: "[SSD]", "[DISK]". */
  public ClusterBuilder volumes(String... storageTypes) {
    if (storageTypes.length == 0) {
      throw new IllegalArgumentException("a DataNode needs at least one volume");
    }
    volumes = List.of(storageTypes);
    return this;
  }

  /**
   * Slows a volume of every DataNode, by a model inside the DataNode; indexes start at 0. {@link
   * Daemon#slowVolume} changes it later. To begin at the speed of the machine, say {@link
   * VolumeSpeed#unlimited()}.
   */
  public ClusterBuilder slowVolume(int index, VolumeSpeed speed) {
    speeds.put(index, speed);
    return this;
  }

  /** Has volumes of every DataNode share a limit, each below its own: a controller, a cable. */
  public ClusterBuilder controller(VolumeSpeed limit, int... volumes) {
    controllers.add(new Controller(limit, IntStream.of(volumes).boxed().toList()));
    return this;
  }

  /**
   * Has the kernel of every DataNode keep so many bytes of what was written and read last, of
   * volumes with a {@link VolumeSpeed#writeBack(double, double) write-back that is put together}:
   * what is no longer there is read from them. Without this call they are asked for everything that
   * is read. What a client does not want to be kept goes at once, as DataNodes advise. Not for
   * short-circuit reads, which no DataNode sees.
   */
  public ClusterBuilder pageCache(long bytes) {
    pageCache = OptionalLong.of(bytes);
    return this;
  }

  /**
   * Has DataNodes drop pages of a block so many bytes behind the writer that does not want them to
   * be kept. Without this call 8 MB, of blocks that may be 128.
   */
  public ClusterBuilder dropLag(long bytes) {
    dropLag = OptionalLong.of(bytes);
    return this;
  }

  /** Whether processes find libhadoop, unless their own options say otherwise. */
  public ClusterBuilder libhadoop(boolean present) {
    libhadoop = present;
    return this;
  }

  /** Whether clients on this machine read blocks past the DataNode, through a domain socket. */
  public ClusterBuilder shortCircuit(boolean enabled) {
    shortCircuit = enabled;
    return this;
  }

  /**
   * How many bytes each DataNode may lock in memory, whatever {@code ulimit -l} says. What a cache
   * directive asks for is then cached, and known to clients, within a second or two instead of
   * minutes.
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
   * Lets clients close files at the speed of their volumes: whoever closes one before the NameNode
   * has heard of its last block asks again after 5 ms, where HDFS waits for 0.4 s, which for small
   * files is most of the time that they take.
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

  /** Lets block tokens and their keys live for so long, where HDFS's own keys count minutes. */
  public ClusterBuilder blockTokens(Duration life) {
    conf("dfs.block.access.token.enable", "true");
    return daemon(
        Role.NAMENODE,
        options ->
            options
                .conf("dfs.namenode.plugins", BlockTokensPlugin.class.getName())
                .conf(BlockTokensPlugin.MILLIS, Long.toString(life.toMillis())));
  }

  /** Does something between the start of HDFS and that of HBase. */
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
   * Switches modules of ours on: {@code fastpath(Modules.ALL)}. Their jars go in front of the class
   * paths of the daemons that need them, with the keys that they need. What the caller sets by
   * {@code conf} or for a daemon goes before that.
   *
   * @see #fastpathJars(Path)
   * @see #fastpathSizes(FastpathSizes)
   */
  public ClusterBuilder fastpath(Set<Modules> wanted) {
    modules = wanted.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(wanted));
    return this;
  }

  /** The same for some modules. */
  public ClusterBuilder fastpath(Modules... wanted) {
    return fastpath(new HashSet<>(List.of(wanted)));
  }

  /**
   * The directory that holds our jars, with or without versions in their names. When not called,
   * the system property {@code fastpath.jars} names it.
   */
  public ClusterBuilder fastpathJars(Path directoryOfJars) {
    fastpathJars = directoryOfJars;
    return this;
  }

  /** How much memory our modules get; by default a quarter of what is available. */
  public ClusterBuilder fastpathSizes(FastpathSizes sizes) {
    fastpathSizes = sizes;
    return this;
  }

  /** How long the daemons may take to become ready; 3 minutes when not called. */
  public ClusterBuilder startTimeout(Duration limit) {
    startTimeout = limit;
    return this;
  }

  /** Gets a line for every step of starting and stopping, from the thread that does it. */
  public ClusterBuilder onProgress(Consumer<String> listener) {
    progress = listener;
    return this;
  }

  /** When the JVM exits, stops the daemons in order instead of killing them. */
  ClusterBuilder stopCleanlyOnExit() {
    stopCleanlyOnExit = true;
    return this;
  }

  /**
   * Starts the cluster and returns when it is ready for work: DataNodes registered, safe mode left,
   * hbase:meta assigned, all RegionServers reported.
   *
   * @throws ClusterException if a daemon does not become ready; none is left running then
   * @throws IllegalArgumentException if a volume is to be slow that a DataNode does not have, or a
   *     jar of ours is not found
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

  /** Whether DataNodes have a model of their devices. */
  boolean slowsVolumes() {
    return !speeds.isEmpty() || !controllers.isEmpty();
  }

  /**
   * The devices below the volumes that are in these directories: one for each, then controllers.
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
