package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pinning in a RegionServer: a thread of its own that looks every second whether the open store
 * files have changed, by a flush, a compaction, a split, a move, and makes a round then, if the
 * last one is some seconds ago, and otherwise once an interval. No request and no hook of HBase's
 * waits for it, but the end of a compaction where an operator wants that ({@link
 * CompactionPinObserver}).
 *
 * <p>Whatever fails is logged, the first time that it fails so, and counted; the next interval
 * tries again. Files that are pinned stay so meanwhile.
 */
final class PinService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PinService.class);
  private static final List<PinService> RUNNING = new CopyOnWriteArrayList<>();
  private static final long LOOK_MILLIS = 1_000;

  /** A round lists the pool's directives, so that there are not more of them while files change. */
  private static final long LEAST_MILLIS = 5_000;

  private static final long POLL_MILLIS = 100;

  private final RegionServerCoprocessorEnvironment environment;
  private final PinOptions options;
  private final PinMetrics metrics = new PinMetrics();
  private final TablePolicies policies;
  private final CacheDirectives directives;
  private final Pinning pinning;
  private final PinPage page;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(PinService::newThread);
  private volatile int servers;
  private volatile boolean closed;
  private List<Collection<? extends StoreFile>> lastLists = List.of();
  private long lastRound;
  private String lastComplaint = "";

  /**
   * Starts it.
   *
   * @throws IOException if HBase's files are not in HDFS
   */
  static PinService start(RegionServerCoprocessorEnvironment environment, PinOptions options)
      throws IOException {
    Path root = CommonFSUtils.getRootDir(environment.getConfiguration());
    FileSystem fs = root.getFileSystem(environment.getConfiguration());
    if (!(fs instanceof DistributedFileSystem hdfs)) {
      throw new IOException("hbase.rootdir is " + root + ", which is not in HDFS");
    }
    // HBase does not stop the coprocessors that it replaces when its configuration is reloaded.
    of(environment.getServerName()).ifPresent(PinService::close);
    PinService service = new PinService(environment, options, hdfs, root);
    RUNNING.add(service);
    return service;
  }

  /** The one of a server in this process. A server has its final name when it opens regions. */
  static Optional<PinService> of(ServerName server) {
    return RUNNING.stream()
        .filter(service -> service.environment.getServerName().equals(server))
        .findAny();
  }

  private PinService(
      RegionServerCoprocessorEnvironment environment,
      PinOptions options,
      DistributedFileSystem fs,
      Path root) {
    this.environment = environment;
    this.options = options;
    policies = new TablePolicies(options.policy(), metrics);
    directives = new CacheDirectives(fs, root, options);
    pinning = new Pinning(directives, options, metrics);
    page = PinPage.show(pinning::report);
    lastRound = now() - options.intervalMillis();
    thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "fastpath-hdfs-cache-pins");
    thread.setDaemon(true);
    return thread;
  }

  /** Runs each second, and must not throw: it would not run again. */
  private void look() {
    try {
      List<Collection<? extends StoreFile>> lists = OpenFiles.lists(environment.getOnlineRegions());
      if (!lists.isEmpty() && isDue(!lists.equals(lastLists))) {
        lastRound = now();
        lastLists = lists;
        round();
        lastComplaint = "";
        CachePinning.STATUS.active();
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  private void round() throws IOException {
    OpenFiles open = OpenFiles.of(environment.getOnlineRegions(), policies);
    servers = countServers();
    pinning.round(open, servers, now());
  }

  private boolean isDue(boolean changed) {
    long pause =
        changed ? Math.min(LEAST_MILLIS, options.intervalMillis()) : options.intervalMillis();
    return now() - lastRound >= pause;
  }

  private int countServers() throws IOException {
    try (Admin admin = environment.getConnection().getAdmin()) {
      Set<ServerName> live = new HashSet<>(admin.getRegionServers());
      live.add(environment.getServerName());
      return live.size();
    }
  }

  private void failed(Throwable e) {
    if (closed) {
      return;
    }
    metrics.failed();
    String complaint = e.toString();
    CachePinning.STATUS.fallenBack(
        "the last round failed: " + (e instanceof CachePoolException ? e.getMessage() : complaint));
    if (complaint.equals(lastComplaint)) {
      LOG.debug("No store file is pinned or unpinned", e);
      return;
    }
    lastComplaint = complaint;
    if (e instanceof CachePoolException) {
      metrics.idle();
      LOG.warn("No store file is pinned or unpinned: {}", e.getMessage());
    } else {
      LOG.warn("No store file is pinned or unpinned; more of the kind are counted only", e);
    }
  }

  /**
   * Pins the output of a compaction that is about to replace its inputs, and waits until it is in
   * memory, or for as long as is allowed.
   */
  void compacted(
      Region region, Store store, StoreFile output, Collection<? extends StoreFile> inputs) {
    try {
      List<OpenFile> outputs = OpenFiles.of(region, store, List.of(output), policies);
      if (servers == 0 || outputs.isEmpty() || !succeed(region, store, outputs.get(0), inputs)) {
        return;
      }
      awaitCached(outputs.get(0), region);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("The output of a compaction is not pinned before it is read", e);
      metrics.failed();
    }
  }

  private boolean succeed(
      Region region, Store store, OpenFile output, Collection<? extends StoreFile> inputs)
      throws IOException {
    return pinning.succeed(
        output,
        OpenFiles.of(region, store, inputs, policies),
        OpenFiles.of(environment.getOnlineRegions(), policies),
        servers,
        now());
  }

  private void awaitCached(OpenFile file, Region region) throws IOException {
    long begin = System.nanoTime();
    long end = now() + options.compactionWaitMillis();
    boolean cached = directives.isCached(file.path(), file.length());
    while (!cached && now() < end && !region.isClosing() && !closed) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      cached = directives.isCached(file.path(), file.length());
    }
    metrics.waited(System.nanoTime() - begin, cached);
  }

  private static long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /** Ends it; what is pinned stays so for the next server that opens the regions. */
  @Override
  public void close() {
    closed = true;
    RUNNING.remove(this);
    thread.shutdownNow();
    page.close();
    metrics.close();
  }
}
