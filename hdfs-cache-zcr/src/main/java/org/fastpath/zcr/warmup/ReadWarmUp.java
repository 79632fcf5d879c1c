package org.fastpath.zcr.warmup;

import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.fastpath.common.FeatureStatus;
import org.fastpath.zcr.status.HBaseFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs reads in a RegionServer before it reports for duty, so that code is compiled before the
 * first clients. After a restart the bytes are still in the DataNode's memory, and reads wait only
 * for compilation. One line in {@code hbase-site.xml} installs it:
 *
 * <pre>{@code
 * hbase.coprocessor.regionserver.classes = org.fastpath.zcr.warmup.ReadWarmUp
 * }</pre>
 *
 * <p>HBase starts coprocessors of a RegionServer just before it reports for duty, and the Master
 * gives it no region until then. The server requests rows of {@link WarmUpRegion}s from itself, by
 * HBase's RPC over the loopback address. It stops when the compilers are idle or the time is over,
 * and delays the start by at most twice the time. HBase starts coprocessors again when a serving
 * RegionServer reloads its configuration; that start does nothing. A failure, also a wrong key,
 * never reaches HBase: it is one error in the log, and the server starts without the warm-up.
 */
public class ReadWarmUp implements RegionServerCoprocessor {
  private static final Logger LOG = LoggerFactory.getLogger(ReadWarmUp.class);
  private static final long WINDOW_MILLIS = 500;
  private static final int MAX_CLIENTS = 4;

  /** Requests of a connection. */
  private static final int REQUESTS_PER_CONNECTION = 210;

  private static final String FAILURE = "The warm-up failed; the server starts without it";

  private static final FeatureStatus STATUS = HBaseFeatures.READ_WARM_UP.status();

  /** Called by HBase. */
  public ReadWarmUp() {}

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) {
    WarmUpMetrics.register();
    try {
      WarmUpOptions options = WarmUpOptions.of(environment.getConfiguration());
      RegionServerServices server =
          (RegionServerServices)
              ((RegionServerCoprocessorEnvironment) environment).getOnlineRegions();
      if (!isServing(server) && HBaseFeatures.READ_WARM_UP.usable()) {
        STATUS.off("the warm-up has not ended");
        run(server, options.limit());
      }
    } catch (IllegalArgumentException e) {
      WarmUpMetrics.failed();
      STATUS.misconfigured(e.getMessage());
      LOG.error("{}: {}", FAILURE, e.getMessage());
    } catch (RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  /**
   * Returns whether the server has reported for duty. Only then it has a start code, an identity
   * and regions.
   */
  static boolean isServing(RegionServerServices server) {
    return server instanceof HRegionServer own ? own.isOnline() : !server.getRegions().isEmpty();
  }

  private static void failed(Throwable why) {
    WarmUpMetrics.failed();
    STATUS.fallenBack("the server started without a warm-up: " + why);
    LOG.error(FAILURE, why);
  }

  private static void run(RegionServerServices server, Duration limit) {
    long begin = System.nanoTime();
    if (!endsWithin(limit.multipliedBy(2), () -> warm(server, limit))) {
      WarmUpMetrics.failed();
      STATUS.fallenBack("the warm-up did not end within twice " + limit.toSeconds() + " s");
      LOG.error("The warm-up was ended because it took twice {}; {}", FAILURE, limit);
    } else if (STATUS.state() == FeatureStatus.State.OFF) {
      STATUS.active();
    }
    WarmUpMetrics.took(Duration.ofNanos(System.nanoTime() - begin));
  }

  /**
   * Runs work on a separate thread and waits for it.
   *
   * @return whether it ended in time; if not, it was interrupted and may go on for a while
   */
  static boolean endsWithin(Duration time, Runnable work) {
    Thread thread = thread("hbase-fastpath-warm-up", work);
    try {
      thread.join(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    boolean ended = !thread.isAlive();
    thread.interrupt();
    return ended;
  }

  private static Thread thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void warm(RegionServerServices server, Duration limit) {
    Configuration conf = server.getConfiguration();
    try (WarmUpRegion cached = WarmUpRegion.openCached(server, conf);
        WarmUpRegion mapped =
            WarmUpRegion.maps(conf) ? WarmUpRegion.openMapped(server, conf) : null) {
      List<WarmUpRegion> regions = mapped == null ? List.of(cached) : List.of(mapped, cached);
      try (WarmUpServer rpc = new WarmUpServer(regions, server, conf, limit)) {
        ask(server, rpc, regions, limit);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | LinkageError e) {
      failed(e);
    }
  }

  private static void ask(
      RegionServerServices server, WarmUpServer rpc, List<WarmUpRegion> regions, Duration limit)
      throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> clients = new ArrayList<>();
    long begin = System.nanoTime();
    long cold = 0;
    long last = 0;
    try {
      for (int i = 0; i < clients(); i++) {
        int client = i;
        clients.add(thread("hbase-fastpath-warm-up-" + i, () -> ask(rpc, regions, client, over)));
      }
      CompilerIdleness compiler = new CompilerIdleness(ReadWarmUp::compiledMillis);
      boolean rests = false;
      while (!rests
          && !over.get()
          && !server.isStopped()
          && System.nanoTime() - begin < limit.toNanos()) {
        long before = WarmUpMetrics.requests();
        Thread.sleep(WINDOW_MILLIS);
        last = WarmUpMetrics.requests() - before;
        cold = cold == 0 ? last : cold;
        rests = compiler.after(WINDOW_MILLIS);
      }
    } finally {
      over.set(true);
      for (Thread client : clients) {
        client.join();
      }
    }
    LOG.info(
        "Warm-up of reads done: {} requests in {} ms, {} in the first {} ms and {} in the last",
        WarmUpMetrics.requests(),
        Duration.ofNanos(System.nanoTime() - begin).toMillis(),
        cold,
        WINDOW_MILLIS,
        last);
  }

  /** Returns half of the cores; the compilers need the others. */
  private static int clients() {
    return Math.max(1, Math.min(MAX_CLIENTS, Runtime.getRuntime().availableProcessors() / 2));
  }

  /** Runs a client that opens and closes connections, so that the compilers also see their ends. */
  private static void ask(
      WarmUpServer rpc, List<WarmUpRegion> regions, int number, AtomicBoolean over) {
    try {
      for (int visit = 0; !over.get(); visit++) {
        try (WarmUpServer.Connection connection = rpc.connect()) {
          long seed = (long) visit * MAX_CLIENTS + number;
          WarmUpClient client = new WarmUpClient(connection.service(), regions, seed);
          for (int i = 0; i < REQUESTS_PER_CONNECTION && !over.get(); i++) {
            client.request();
            WarmUpMetrics.answered();
          }
        }
      }
    } catch (IOException | ServiceException | RuntimeException | LinkageError e) {
      failed(e);
      over.set(true);
    }
  }

  private static long compiledMillis() {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    return compilers != null && compilers.isCompilationTimeMonitoringSupported()
        ? compilers.getTotalCompilationTime()
        : System.nanoTime() / 1_000_000;
  }
}
