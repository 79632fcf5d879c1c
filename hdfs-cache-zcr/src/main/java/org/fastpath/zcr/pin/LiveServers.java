package org.fastpath.zcr.pin;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the HMaster for the live servers, on a separate thread. HBase's client waits minutes for an
 * HMaster that is down; pinning does not wait. Not thread-safe.
 */
final class LiveServers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveServers.class);
  private static final long PATIENCE_MILLIS = 2_000;

  private final Connection connection;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), LiveServers::newThread);
  private Future<Set<String>> asked;

  LiveServers(Connection connection) {
    this.connection = connection;
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "fastpath-hdfs-cache-live-servers");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns the live servers; empty if no HMaster answers in time. */
  Set<String> now() {
    if (asked == null || asked.isDone()) {
      asked = thread.submit(this::ask);
    }
    try {
      return asked.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      LOG.debug("The list of live servers is not available", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Set.of();
  }

  private Set<String> ask() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().stream()
          .map(ServerName::getServerName)
          .collect(Collectors.toSet());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
