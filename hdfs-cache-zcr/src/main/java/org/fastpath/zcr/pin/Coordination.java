package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.Region;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the cluster's coordinator. While this server has hbase:meta, it is the coordinator.
 *
 * <p><b>Choice of the server with meta.</b> HBase fences it, so there is one at any time. HMasters
 * need no class path and no configuration, and all may be down. If the server dies, meta is the
 * first region to open elsewhere. The new coordinator needs one report of each server and one
 * listing of the pool.
 *
 * <p>Two servers may believe for a moment that they have meta. Then a file may get two directives;
 * the next listing removes one. The directives may also exceed the limit, but a rescan of the
 * NameNode never locks more than the limit.
 *
 * <p>Thread-safe.
 */
final class Coordination implements PinEndpoint.Handler, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Coordination.class);
  private static final long CHECK_MILLIS = 1_000;
  private static final long MIN_MILLIS = 5_000;

  /** The minimum time between rounds per server, if reports trigger rounds. */
  private static final long MILLIS_PER_SERVER = 100;

  private final RegionServerCoprocessorEnvironment environment;
  private final PinOptions options;
  private final CacheDirectives directives;
  private final PinMetrics metrics;
  private final FailureLog failureLog;
  private final LiveServers liveServers;
  private ScheduledExecutorService thread;
  private volatile Office office;
  private volatile boolean reload;
  private volatile boolean closed;

  /** The state of a coordinator. */
  private final class Office {
    private final PinBoard board = new PinBoard(options);
    private final PinCoordinator coordinator =
        new PinCoordinator(directives, options, board, metrics, PinService::now);
    private volatile boolean changed;
    private volatile boolean urgent;
    private long lastRound = PinService.now() - options.intervalMillis() + firstPause();

    /** Returns the pause before the first round, in which each server reports once. */
    private long firstPause() {
      return Math.min(MIN_MILLIS, options.intervalMillis());
    }

    private boolean isDue() {
      long pause = Math.max(MIN_MILLIS, board.servers() * MILLIS_PER_SERVER);
      return PinService.now() - lastRound
          >= (changed ? Math.min(pause, options.intervalMillis()) : options.intervalMillis());
    }

    private void poll() {
      try {
        if (urgent) {
          urgent = false;
          coordinator.carryOutUrgent();
        }
        if (isDue()) {
          lastRound = PinService.now();
          changed = false;
          coordinator.round(liveServers.now());
          failureLog.succeeded();
        }
      } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
        if (!closed && office == this) {
          failureLog.failed(
              "A round of pinning failed; pins stay, and the next round tries again", e);
        }
      }
    }
  }

  Coordination(
      RegionServerCoprocessorEnvironment environment,
      PinOptions options,
      CacheDirectives directives,
      PinMetrics metrics,
      FailureLog failureLog) {
    this.environment = environment;
    this.options = options;
    this.directives = directives;
    this.metrics = metrics;
    this.failureLog = failureLog;
    liveServers = new LiveServers(environment.getConnection());
  }

  /** Becomes the coordinator, or resigns. One thread calls it each second. */
  void poll() throws IOException {
    boolean has = hasMeta();
    if (has && office == null) {
      Office opened = new Office();
      thread = new ScheduledThreadPoolExecutor(1, Coordination::newThread);
      // It may fail for lack of threads. Then this server is not the coordinator and tries again.
      thread.scheduleWithFixedDelay(
          opened::poll, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
      office = opened;
      LOG.info("This server has hbase:meta and coordinates pins for the cluster");
    } else if (!has && office != null) {
      resign();
      LOG.info("This server no longer has hbase:meta: another one coordinates pins");
    }
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "fastpath-hdfs-cache-pin-coordinator");
    thread.setDaemon(true);
    return thread;
  }

  private void resign() {
    office = null;
    if (thread != null) {
      thread.shutdownNow();
      thread = null;
    }
    metrics.notCoordinating();
  }

  private boolean hasMeta() throws IOException {
    Collection<? extends Region> meta =
        environment.getOnlineRegions().getRegions(TableName.META_TABLE_NAME);
    return meta.stream()
        .anyMatch(
            region ->
                RegionReplicaUtil.isDefaultReplica(region.getRegionInfo())
                    && !region.isClosing()
                    && !region.isClosed());
  }

  // Methods of a client.

  /**
   * Sends a request to the coordinator, which may be this server.
   *
   * @throws NotCoordinatorException if no server has meta, or that server does not coordinate
   */
  byte[] send(String method, byte[] request) throws IOException {
    if (office != null) {
      return method.equals("report") ? report(request) : succeed(request);
    }
    try (RegionLocator locator =
            environment.getConnection().getRegionLocator(TableName.META_TABLE_NAME);
        Admin admin = environment.getConnection().getAdmin()) {
      HRegionLocation location = locator.getRegionLocation(HConstants.EMPTY_START_ROW, reload);
      if (location == null || location.getServerName() == null) {
        throw new NotCoordinatorException("no server has hbase:meta", null);
      }
      reload = true;
      byte[] answer = call(admin, location.getServerName(), method, request);
      reload = false;
      return answer;
    }
  }

  private static byte[] call(Admin admin, ServerName server, String method, byte[] request)
      throws IOException {
    try {
      return PinEndpoint.call(admin.coprocessorService(server), method, request);
    } catch (IOException e) {
      throw new NotCoordinatorException(
          server
              + " has hbase:meta and does not coordinate pins: if that lasts, give it "
              + CachePinning.class.getName()
              + " in hbase.coprocessor.regionserver.classes; leases go on for now ("
              + e
              + ")",
          e);
    }
  }

  // Methods of a server.

  @Override
  public byte[] report(byte[] request) throws IOException {
    Office open = office();
    HeatReport report = HeatReport.of(request);
    PinReply reply = open.board.receive(report, PinService.now());
    open.changed = true;
    return reply.toBytes();
  }

  @Override
  public byte[] succeed(byte[] request) throws IOException {
    Office open = office();
    boolean pinned = open.board.succeed(OutputPinRequest.of(request), PinService.now());
    open.urgent = true;
    return new byte[] {(byte) (pinned ? 1 : 0)};
  }

  private Office office() throws NotCoordinatorException {
    Office open = office;
    if (open == null) {
      throw new NotCoordinatorException("this server does not have hbase:meta", null);
    }
    return open;
  }

  @Override
  public void close() {
    closed = true;
    resign();
    liveServers.close();
  }
}
