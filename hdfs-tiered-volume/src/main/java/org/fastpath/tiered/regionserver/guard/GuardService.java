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
 * Runs the guard of a RegionServer. One thread samples the load each second and reacts. Another
 * thread surveys new store files and waits for the NameNode. No request and no hook of HBase waits
 * for either. Each failure is counted and retried; the first one is logged.
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
  private final Set<String> loggedFailures = ConcurrentHashMap.newKeySet();
  private volatile boolean served;
  private volatile boolean closed;

  /** Starts the guard. */
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
        server,
        new FileLocator(hdfs),
        meters,
        traffic,
        metrics,
        new Fallbacks(options),
        this::failed);
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
        () -> attempt(this::sample), interval, interval, TimeUnit.MILLISECONDS);
    if (survey != null) {
      long seconds = options.surveySeconds();
      surveys.scheduleWithFixedDelay(
          () -> attempt(this::locate), seconds, seconds, TimeUnit.SECONDS);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  /** Runs the work. It must not throw, or the executor would not run it again. */
  private void attempt(Work work) {
    try {
      // A server that once had an open region has all sampled parts.
      served = served || !server.getRegions().isEmpty();
      if (!closed && served) {
        work.run();
      }
    } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
      failed(e);
    }
  }

  /** Reports a failure. It must not throw, or the executor would not run the work again. */
  private void failed(Throwable failure) {
    try {
      metrics.failed();
      if (loggedFailures.add(failure.getClass().getName())) {
        LOG.warn(
            "A sample or survey of the tier guard failed; it is retried, and further "
                + "cases are only counted",
            failure);
      }
    } catch (OutOfMemoryError e) {
      // There is no memory for a report either.
    }
  }

  private void sample() throws IOException {
    long now = System.nanoTime();
    LoadState state = model.update(watch.sample(now), overload.allowed());
    overload.update(state, now, allowed -> warn(state, allowed));
    metrics.show(state, overload.allowed());
  }

  private void warn(LoadState state, long allowed) {
    LOG.warn(OverloadReport.of(state, watch.counts(), traffic, allowed));
    metrics.warned();
  }

  private void locate() {
    survey.round(System.nanoTime());
  }

  private long updatesBlockedMillis() {
    MetricsRegionServer all = server.getMetrics();
    return all == null ? 0 : all.getRegionServerWrapper().getUpdatesBlockedTime();
  }

  /** Ends the guard and removes a throttle. Waits some seconds for a sample in progress. */
  @Override
  public void close() {
    closed = true;
    loads.shutdown();
    surveys.shutdownNow();
    try {
      if (!loads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("The tier guard has not ended in time");
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
