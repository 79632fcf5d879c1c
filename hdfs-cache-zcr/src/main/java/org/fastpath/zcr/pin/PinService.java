package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs pinning in a RegionServer. Its thread checks every second whether the open store files have
 * changed, by a flush, compaction, split or move. After a change, it reports to the coordinator at
 * most every few seconds; otherwise it reports once an interval. No request and no hook of HBase
 * waits for it, except the end of a compaction if configured ({@link CompactionPinObserver}).
 *
 * <p>The coordinator is the server that has hbase:meta ({@link Coordination}).
 *
 * <p>Each failure is counted, and the first one of a kind is logged; the next interval tries again.
 * Pinned files stay pinned meanwhile.
 */
final class PinService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PinService.class);
  private static final List<PinService> RUNNING = new CopyOnWriteArrayList<>();
  private static final long CHECK_MILLIS = 1_000;

  /** Limits the reports of a server whose files change all the time. */
  private static final long MIN_MILLIS = 5_000;

  private static final long POLL_MILLIS = 500;

  private final RegionServerCoprocessorEnvironment environment;
  private final PinOptions options;
  private final PinMetrics metrics = new PinMetrics();
  private final TablePolicies policies;
  private final CacheDirectives directives;
  private final Coordination coordination;
  private final FailureLog failureLog;
  private final CoordinatorWatch coordinator;
  private final PinPage page;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(PinService::newThread);
  private volatile HeatTracker tracker;
  private volatile boolean closed;
  private List<Collection<? extends StoreFile>> lastLists = List.of();
  private long lastReport;
  private boolean loggedErasureCoded;

  /** Starts the service. */
  static PinService start(
      RegionServerCoprocessorEnvironment environment,
      PinOptions options,
      DistributedFileSystem fs,
      Path root) {
    // HBase does not stop the coprocessors that it replaces when its configuration is reloaded.
    of(environment.getServerName()).ifPresent(PinService::close);
    PinService service = new PinService(environment, options, fs, root);
    RUNNING.add(service);
    return service;
  }

  /**
   * Returns the service of a server in this process. A server has its final name when it opens
   * regions.
   */
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
    failureLog = new FailureLog(metrics);
    coordination = new Coordination(environment, options, directives, metrics, failureLog);
    coordinator = new CoordinatorWatch(options.intervalMillis(), now());
    page = PinPage.show(() -> tracker == null ? PinReport.NONE : tracker.shown());
    lastReport = now() - options.intervalMillis();
    thread.scheduleWithFixedDelay(this::poll, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "fastpath-hdfs-cache-pins");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the handler for other servers' calls if this one is the coordinator. */
  PinEndpoint.Handler coordination() {
    return coordination;
  }

  /** Checks for changes each second. It must not throw, or the executor would not run it again. */
  private void poll() {
    try {
      coordination.poll();
      List<Collection<? extends StoreFile>> lists = OpenFiles.lists(environment.getOnlineRegions());
      if (!lists.isEmpty() && isDue(!lists.equals(lastLists))) {
        lastReport = now();
        lastLists = lists;
        report();
      }
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      if (!closed) {
        CachePinning.STATUS.fallenBack(
            "the heat of store files is not reported: " + e.getMessage());
        failureLog.failed(
            "The report to the coordinator failed; pins stay, and the next "
                + "interval tries again",
            e);
      }
    }
  }

  private boolean isDue(boolean changed) {
    long pause =
        changed ? Math.min(MIN_MILLIS, options.intervalMillis()) : options.intervalMillis();
    return now() - lastReport >= pause;
  }

  private void report() throws IOException {
    HeatReport report =
        tracker().report(OpenFiles.of(environment.getOnlineRegions(), policies), now());
    logErasureCoded(tracker().erasureCoded());
    boolean arrived = false;
    try {
      PinReply reply = PinReply.of(send("report", report.toBytes()));
      arrived = true;
      tracker().received(reply);
      metrics.show(tracker().shown());
      if (reply.blockedReason().isEmpty()) {
        CachePinning.STATUS.active();
      } else {
        CachePinning.STATUS.fallenBack(reply.blockedReason());
        metrics.idle();
      }
    } finally {
      metrics.reported(arrived);
    }
  }

  private byte[] send(String method, byte[] request) throws IOException {
    try {
      byte[] answer = coordination.send(method, request);
      coordinator.answered(now());
      return answer;
    } catch (IOException e) {
      coordinator.failed();
      throw e;
    }
  }

  /** Returns the tracker. The server's name has its start code only after the server is ready. */
  private HeatTracker tracker() {
    if (tracker == null) {
      tracker =
          new HeatTracker(environment.getServerName().getServerName(), options.halfLifeMillis());
    }
    return tracker;
  }

  private void logErasureCoded(Set<String> files) {
    if (!files.isEmpty() && !loggedErasureCoded) {
      loggedErasureCoded = true;
      LOG.info(
          "{} open store files are erasure-coded and are not pinned, because HDFS does not "
              + "lock such"
              + " files in memory; the first is {}",
          files.size(),
          files.iterator().next());
    }
  }

  /**
   * Pins the output of a compaction that is about to replace its inputs. Waits until it is in
   * memory, or up to the configured limit. If no coordinator answers, the compaction does not wait.
   */
  void compacted(
      Region region, Store store, StoreFile output, Collection<? extends StoreFile> inputs) {
    if (coordinator.isAway(now())) {
      LOG.debug("No coordinator answers, so the compaction's output {} is pinned later", output);
      return;
    }
    try {
      List<OpenFile> outputs = OpenFiles.of(region, store, List.of(output), policies);
      if (tracker == null || outputs.isEmpty() || !succeed(region, store, outputs.get(0), inputs)) {
        return;
      }
      metrics.succeeded();
      awaitCached(outputs.get(0), region);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("The pin of a compaction's output failed; a later round pins it", e);
      metrics.failed();
    }
  }

  private boolean succeed(
      Region region, Store store, OpenFile output, Collection<? extends StoreFile> inputs)
      throws IOException {
    OutputPinRequest succession =
        tracker.succeed(
            output,
            OpenFiles.of(region, store, inputs, policies),
            OpenFiles.of(environment.getOnlineRegions(), policies),
            now());
    return succession != null && send("succeed", succession.toBytes())[0] != 0;
  }

  private void awaitCached(OpenFile file, Region region) throws IOException {
    long begin = System.nanoTime();
    long end = now() + options.compactionWaitMillis();
    boolean cached = directives.isCached(file.path(), file.length());
    while (!cached && now() < end && mayWait(region)) {
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

  private boolean mayWait(Region region) {
    return !region.isClosing() && !closed && !coordinator.isAway(now());
  }

  static long now() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  /** Ends the service. Pinned files stay pinned for the next server that opens the regions. */
  @Override
  public void close() {
    closed = true;
    RUNNING.remove(this);
    thread.shutdownNow();
    coordination.close();
    page.close();
    metrics.close();
  }
}
