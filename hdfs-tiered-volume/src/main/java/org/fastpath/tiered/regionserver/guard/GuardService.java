package org.fastpath.tiered.regionserver.guard;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.quotas.RegionServerWriteQuota;
import org.apache.hadoop.hbase.regionserver.MetricsRegionServer;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The guard of a RegionServer: one thread that looks at the load each second and answers, and one
 * that looks at new store files, which waits for the NameNode. No request and no hook of HBase's
 * waits for either. Whatever fails is logged the first time, counted, and tried again.
 */
final class GuardService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardService.class);
  private static final long STOP_SECONDS = 5;

  private final RegionServerServices server;
  private final ServerWatch watch;
  private final OverloadModel model;
  private final TierTraffic traffic = new TierTraffic();
  private final TierMeters meters = new TierMeters();
  private final GuardMetrics metrics;
  private final Overload overload;
  private final FileSurvey survey;
  private final ScheduledExecutorService loads = executor("fastpath-tier-guard");
  private final ScheduledExecutorService surveys = executor("fastpath-tier-survey");
  private final Set<String> complaints = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** Starts it. */
  static GuardService start(RegionServerServices server, GuardOptions options) throws IOException {
    GuardService service = new GuardService(server, options);
    service.schedule(options);
    return service;
  }

  private GuardService(RegionServerServices server, GuardOptions options) throws IOException {
    this.server = server;
    watch = new ServerWatch(server);
    model = new OverloadModel(options);
    overload =
        new Overload(options, options.throttle() ? new RegionServerWriteQuota(server) : null);
    FileSystem files = CommonFSUtils.getRootDirFileSystem(server.getConfiguration());
    metrics = new GuardMetrics(watch::ingestedBytes, watch::counts, this::updatesBlockedMillis);
    survey = files instanceof DistributedFileSystem hdfs ? survey(hdfs, options) : null;
  }

  private FileSurvey survey(DistributedFileSystem hdfs, GuardOptions options) {
    return new FileSurvey(
        server, new FileLocator(hdfs), meters, traffic, metrics, new Fallbacks(options));
  }

  private static ScheduledExecutorService executor(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private void schedule(GuardOptions options) {
    long interval = options.intervalMillis();
    loads.scheduleWithFixedDelay(
        () -> attempt(this::look), interval, interval, TimeUnit.MILLISECONDS);
    if (survey != null) {
      long seconds = options.surveySeconds();
      surveys.scheduleWithFixedDelay(
          () -> attempt(this::locate), seconds, seconds, TimeUnit.SECONDS);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  /** Must not throw: it would not be run again. */
  private void attempt(Work work) {
    try {
      // A server that has opened a region has all that is looked at.
      if (!closed && !server.getRegions().isEmpty()) {
        work.run();
      }
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      metrics.failed();
      if (complaints.add(e.getClass().getName())) {
        LOG.warn("The guard of tiers failed; more of the kind are counted only", e);
      }
    }
  }

  private void look() throws IOException {
    long now = System.nanoTime();
    LoadState state = model.update(watch.look(now), overload.allowed());
    overload.update(state, now, allowed -> warn(state, allowed));
    metrics.show(state, overload.allowed());
  }

  private void warn(LoadState state, long allowed) {
    LOG.warn(OverloadReport.of(state, watch.counts(), traffic, allowed));
    metrics.warned();
  }

  private void locate() throws IOException {
    survey.round(System.nanoTime());
  }

  private long updatesBlockedMillis() {
    MetricsRegionServer all = server.getMetrics();
    return all == null ? 0 : all.getRegionServerWrapper().getUpdatesBlockedTime();
  }

  /** Ends it, and takes a throttle away; waits some seconds for a look that is under way. */
  @Override
  public void close() {
    closed = true;
    loads.shutdown();
    surveys.shutdownNow();
    try {
      if (!loads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("The guard of tiers does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    overload.close();
    watch.close();
    metrics.close();
    meters.close();
  }
}
