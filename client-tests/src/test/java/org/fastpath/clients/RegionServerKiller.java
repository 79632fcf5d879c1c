package org.fastpath.clients;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.fastpath.cluster.Daemon;
import org.fastpath.cluster.LocalCluster;
import org.fastpath.cluster.Role;

/**
 * Kills RegionServers with SIGKILL and starts each again, one after the other, with a pause between
 * two kills. The first kill waits for writes. {@link #close} ends it when all servers run.
 */
final class RegionServerKiller implements AutoCloseable {
  private static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final String WRITES = "totalRowActionRequestCount";
  private static final long POLL_MILLIS = 500;

  private final LocalCluster cluster;
  private final Duration pause;
  private final long firstAfterRows;
  private final CountDownLatch end = new CountDownLatch(1);
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Future<Integer> kills;

  /**
   * Starts to kill servers.
   *
   * @param firstAfterRows rows that a server handles before the first kill
   * @param pause time between the return of a server and the kill of the next one
   */
  RegionServerKiller(LocalCluster cluster, long firstAfterRows, Duration pause) {
    this.cluster = cluster;
    this.pause = pause;
    this.firstAfterRows = firstAfterRows;
    kills = thread.submit(this::run);
  }

  private int run() throws Exception {
    int count = 0;
    Daemon first = cluster.daemon(Role.REGIONSERVER, 0);
    while (rows(first) < firstAfterRows) {
      if (end.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        return count;
      }
    }
    do {
      Daemon victim = cluster.daemon(Role.REGIONSERVER, count % 2);
      victim.kill();
      victim.restart();
      count++;
    } while (!end.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    return count;
  }

  private static long rows(Daemon server) throws Exception {
    return server.jmxAttribute(SERVER, WRITES).map(Long::parseLong).orElse(0L);
  }

  /** Ends the kills and returns their number. */
  int end() throws InterruptedException, ExecutionException {
    end.countDown();
    return kills.get();
  }

  @Override
  public void close() throws InterruptedException, ExecutionException {
    try {
      end();
    } finally {
      thread.shutdown();
    }
  }
}
